import { foreignLine, linkTarget } from "./mrkdwn.ts"

/** A section holds 3,000 characters, and a link stands in a sentence there. */
const LONGEST = 2000

/** A link that may become a button: only http(s) ones do, and only as long as Slack takes them. */
export function safeUrl(link: string | undefined): string | undefined {
  if (!link || link.length > LONGEST || !URL.canParse(link)) return undefined
  const { href, protocol } = new URL(link)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return linkTarget(href).length > LONGEST ? undefined : href
}

/** Why there is a pull request, but no link to it. */
export function linkFault(
  link: string | undefined,
): "its link is too long to show" | "its link isn't a web address" {
  const isWeb = link !== undefined && /^https?:\/\//i.test(link) && URL.canParse(link)
  return isWeb ? "its link is too long to show" : "its link isn't a web address"
}

/** Where GitHub is unless the operator names another one. */
export const GITHUB = "github.com"

/**
 * How each forge calls a pull request, and where it lives: its own name goes without saying there.
 * Without a host: GitHub, which lives where the operator says.
 */
const SHAPES: { shape: RegExp; sign: string; host?: string }[] = [
  // A link to the files or a commit of one is a link to it.
  { shape: /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/i, sign: "#" },
  { shape: /^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, sign: "!", host: "gitlab.com" },
  { shape: /^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, sign: "#", host: "bitbucket.org" },
  { shape: /^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, sign: "#", host: "gitea.com" },
]

/**
 * How people of GitHub, GitLab, Bitbucket and Gitea call this pull request; else its host. A link is
 * foreign: it must not pass for one at GitHub when it leads somewhere else, so any other host is named.
 * @param gitHubHost of the GitHub that the operator has, such as `github.com`
 */
export function pullRequestLabel(link: string, gitHubHost: string): string {
  const { pathname, host } = new URL(link)
  for (const { shape, sign, host: home = gitHubHost } of SHAPES) {
    const [, repository, number] = shape.exec(pathname) ?? []
    if (repository && number)
      return `${repository}${sign}${number}${host === home ? "" : ` on ${host}`}`
  }
  return host
}

/** Ends a line about a running job: the pull request so far. The button has its link. */
export function pullRequestSoFar({ prLink }: { prLink?: string }, gitHubHost: string): string {
  const url = safeUrl(prLink)
  return url ? ` Pull request so far: ${foreignLine(pullRequestLabel(url, gitHubHost), 150)}` : ""
}

/** The address of a pull request for text that shows no button, with a line break in front. */
export function addressLine({ prLink }: { prLink?: string }): string {
  const url = safeUrl(prLink)
  return url ? `\n${linkTarget(url)}` : ""
}
