import type { Job, Pull } from "../jobs/job.ts"
import { truncate } from "../text/truncate.ts"
import { counted, foreignLine, link, linkTarget } from "./mrkdwn.ts"

/** The longest link; a section has 3,000 characters for the link and its sentence. */
const LONGEST = 2000

/** Returns the URL if it may become a button: only http(s), and no longer than Slack accepts. */
export function safeUrl(address: string | undefined): string | undefined {
  if (!address || address.length > LONGEST || !URL.canParse(address)) return undefined
  const { href, protocol } = new URL(address)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return linkTarget(href).length > LONGEST ? undefined : href
}

/**
 * The path of a pull request at each forge, with the forge's host, which the label leaves out.
 * GitHub has no host here, because the operator configures it.
 */
const SHAPES: { shape: RegExp; sign: string; host?: string }[] = [
  // A link to a pull request's files or commits counts as a link to it.
  { shape: /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/i, sign: "#" },
  { shape: /^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, sign: "!", host: "gitlab.com" },
  { shape: /^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, sign: "#", host: "bitbucket.org" },
  { shape: /^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, sign: "#", host: "gitea.com" },
]

/** Limits the repository in a label, code points; the number after it identifies the pull request. */
const LABEL_MAX = 80

/**
 * Names a pull request as GitHub, GitLab, Bitbucket and Gitea users do, otherwise by its host. The
 * link is foreign and must not look like one to a known host, so any other host comes first, where
 * no long name can hide it.
 * @param gitHubHost the operator's GitHub host, such as `github.com`
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

/** The longest link in a sentence; for a longer one the sentence shows only the label, beside the button. */
const LINK_MAX = 300

/** Links to the job's pull request by its label; undefined if there is no link that the bot can show. */
export function pullRequestLink(
  { prLink }: Pick<Job, "prLink">,
  gitHubHost: string,
): string | undefined {
  const url = safeUrl(prLink)
  if (!url) return undefined
  const label = pullRequestLabel(url, gitHubHost)
  return linkTarget(url).length > LINK_MAX ? foreignLine(label, 150) : link(url, label)
}

/** The longest title, code points, so that it fits on one line. */
const TITLE_MAX = 80
const FILES_SHOWN = 3
const FILE_MAX = 40

/** Names a pull request by its link and its title, or a substitute for an unknown title. */
export function pullWords(
  job: Pick<Job, "prLink" | "pull">,
  gitHubHost: string,
  otherwise = "",
): string {
  const title = foreignLine(job.pull?.title || otherwise, TITLE_MAX)
  return [pullRequestLink(job, gitHubHost), title].filter(Boolean).join(" ")
}

/** Writes " by ben", or nothing if the GitHub user is unknown. */
export function byWords(login: string | undefined): string {
  return login ? ` by ${foreignLine(login, 40)}` : ""
}

/**
 * Says how much the pull request changes: "3 files, +45 −9 · a.md, b.md". Returns undefined if the
 * bot has not read the size since the latest round, because an older size is out of date.
 */
export function sizeWords(pull: Pull | undefined): string | undefined {
  if (!pull?.size || pull.lookedAt === undefined || pull.lookedAt < pull.since) return undefined
  const { files, added, removed, names } = pull.size
  const shown = names.slice(0, FILES_SHOWN).map((name) => foreignLine(name, FILE_MAX))
  const more = files > shown.length && shown.length > 0 ? "…" : ""
  const amount = `${counted(files, "file")}, +${added} −${removed}`
  return shown.length > 0 ? `${amount} · ${shown.join(", ")}${more && `, ${more}`}` : amount
}
