import { link, linkTarget } from "./mrkdwn.ts"

/** A section holds 3,000 characters, and a link stands in a sentence there. */
const LONGEST = 2000

/** A link that may become a button: only http(s) ones do, and only as long as Slack takes them. */
export function safeUrl(link: string | undefined): string | undefined {
  if (!link || link.length > LONGEST || !URL.canParse(link)) return undefined
  const { href, protocol } = new URL(link)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return linkTarget(href).length > LONGEST ? undefined : href
}

const SHAPES: [RegExp, string][] = [
  [/^\/([^/]+\/[^/]+)\/pull\/(\d+)\/?$/, "#"],
  [/^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, "!"],
  [/^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, "#"],
  [/^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, "#"],
]

/** How people of GitHub, GitLab, Bitbucket and Gitea call this pull request; else its host. */
export function pullRequestLabel(link: string): string {
  const { pathname, host } = new URL(link)
  for (const [shape, sign] of SHAPES) {
    const match = shape.exec(pathname)
    if (match) return `${match[1]}${sign}${match[2]}`
  }
  return host
}

/** Behind a line about a job: the pull request that there is before the job has ended. */
export function pullRequestSoFar({ prLink }: { prLink?: string }): string {
  const url = safeUrl(prLink)
  return url ? ` Pull request so far: ${link(url, pullRequestLabel(url))}` : ""
}
