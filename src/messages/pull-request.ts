import type { Job, Pull } from "../jobs/job.ts"
import { truncate } from "../text/truncate.ts"
import { counted, foreignLine, link, linkTarget } from "./mrkdwn.ts"

/** A section holds 3,000 characters, and a link stands in a sentence there. */
const LONGEST = 2000

/** Makes a link that may become a button: only http(s) ones do, and only as long as Slack takes them. */
export function safeUrl(address: string | undefined): string | undefined {
  if (!address || address.length > LONGEST || !URL.canParse(address)) return undefined
  const { href, protocol } = new URL(address)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return linkTarget(href).length > LONGEST ? undefined : href
}

/**
 * Shapes of a pull request's path at each forge, and where the forge lives: its own name goes without
 * saying there. Without a host: GitHub, which lives where the operator says.
 */
const SHAPES: { shape: RegExp; sign: string; host?: string }[] = [
  // A link to the files or a commit of one is a link to it.
  { shape: /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/i, sign: "#" },
  { shape: /^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, sign: "!", host: "gitlab.com" },
  { shape: /^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, sign: "#", host: "bitbucket.org" },
  { shape: /^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, sign: "#", host: "gitea.com" },
]

/** Bounds the repository in a label: the number behind it tells one from another. Code points. */
const LABEL_MAX = 80

/**
 * Names a pull request as people of GitHub, GitLab, Bitbucket and Gitea do; else by its host. A link is
 * foreign: it must not pass for one at home when it leads somewhere else, so any other host comes first,
 * where no long name can hide it.
 * @param gitHubHost of the GitHub that the operator has, such as `github.com`
 */
export function pullRequestLabel(url: string, gitHubHost: string): string {
  const { pathname, host } = new URL(url)
  for (const { shape, sign, host: home = gitHubHost } of SHAPES) {
    const [, repository, number] = shape.exec(pathname) ?? []
    if (repository && number)
      return `${host === home ? "" : `${host}/`}${truncate(repository, LABEL_MAX)}${sign}${number}`
  }
  return host
}

/** A link in a sentence; one that is longer is shown by its label, beside the button. */
const LINK_MAX = 300

/** Links to the job's pull request by its label; undefined where there is none that can be shown. */
export function pullRequestLink(
  { prLink }: Pick<Job, "prLink">,
  gitHubHost: string,
): string | undefined {
  const url = safeUrl(prLink)
  if (!url) return undefined
  const label = pullRequestLabel(url, gitHubHost)
  return linkTarget(url).length > LINK_MAX ? foreignLine(label, 150) : link(url, label)
}

/** Adds to plain text the address that otherwise only a button shows. */
export function withAddress(text: string, address: string | undefined): string {
  const url = safeUrl(address)
  return !url || text.includes(linkTarget(url)) ? text : `${text}\n${linkTarget(url)}`
}

/** A pull request is named on one line. Code points. */
const TITLE_MAX = 80
const FILES_SHOWN = 3
const FILE_MAX = 40

/** Names a pull request by its link and its title, or what stands for a title that is not known. */
export function pullWords(
  job: Pick<Job, "prLink" | "pull">,
  gitHubHost: string,
  otherwise = "",
): string {
  const title = foreignLine(job.pull?.title || otherwise, TITLE_MAX)
  return [pullRequestLink(job, gitHubHost), title].filter(Boolean).join(" ")
}

/** " by ben": who did something on GitHub, where it is known. */
export function byWords(login: string | undefined): string {
  return login ? ` by ${foreignLine(login, 40)}` : ""
}

/**
 * Says how much the pull request changes: "3 files, +45 −9 · a.md, b.md". Undefined where that was not
 * looked up since the latest round: an older size is no longer true.
 */
export function sizeWords(pull: Pull | undefined): string | undefined {
  if (!pull?.size || pull.lookedAt === undefined || pull.lookedAt < pull.since) return undefined
  const { files, added, removed, names } = pull.size
  const shown = names.slice(0, FILES_SHOWN).map((name) => foreignLine(name, FILE_MAX))
  const more = files > shown.length && shown.length > 0 ? "…" : ""
  const amount = `${counted(files, "file")}, +${added} −${removed}`
  return shown.length > 0 ? `${amount} · ${shown.join(", ")}${more && `, ${more}`}` : amount
}
