import { type Job, type Pull, touchedAt } from "../jobs/job.ts"
import { currentRound, isUpdate } from "../jobs/rounds.ts"
import { truncate } from "../lib/truncate.ts"
import { counted, date, foreignLine, link, linkTarget } from "./mrkdwn.ts"

/** Maximum length of a link in characters, because sentences hold links. */
const MAX_LENGTH = 500

/** Returns the normalized URL if it is http(s) and not too long even once escaped. */
export function safeUrl(address: string | undefined): string | undefined {
  if (!address || address.length > MAX_LENGTH || !URL.canParse(address)) return undefined
  const { href, protocol } = new URL(address)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return linkTarget(href).length > MAX_LENGTH ? undefined : href
}

/** Paths of pull requests, with the host that a label leaves out; GitHub's is a setting. */
const SHAPES: { shape: RegExp; sign: string; host?: string }[] = [
  // Includes links to a pull request's files or commits.
  { shape: /^\/([^/]+\/[^/]+)\/pull\/(\d+)(?:\/.*)?$/i, sign: "#" },
  { shape: /^\/(.+?)\/-\/merge_requests\/(\d+)\/?$/, sign: "!", host: "gitlab.com" },
  { shape: /^\/([^/]+\/[^/]+)\/pull-requests\/(\d+)\/?$/, sign: "#", host: "bitbucket.org" },
  { shape: /^\/([^/]+\/[^/]+)\/pulls\/(\d+)\/?$/, sign: "#", host: "gitea.com" },
]

/**
 * Names a pull request as the users of its forge do, otherwise by its host. The link must not look
 * like one to a known host, so any other host comes first, where no long name can hide it.
 * @param gitHubHost the operator's GitHub host, such as `github.com`
 */
export function pullRequestLabel(url: string, gitHubHost: string): string {
  const { pathname, host } = new URL(url)
  for (const { shape, sign, host: home = gitHubHost } of SHAPES) {
    const [, repository, number] = shape.exec(pathname) ?? []
    if (repository && number)
      return `${host === home ? "" : `${host}/`}${truncate(repository, 80)}${sign}${number}`
  }
  return host
}

export function pullRequestLink({ prLink }: Pick<Job, "prLink">, gitHubHost: string) {
  const url = safeUrl(prLink)
  return url && link(url, pullRequestLabel(url, gitHubHost))
}

export function pullWords(job: Pick<Job, "prLink" | "pull">, gitHubHost: string, otherwise = "") {
  const title = foreignLine(job.pull?.title || otherwise, 80)
  return [pullRequestLink(job, gitHubHost), title].filter(Boolean).join(" ")
}

/** Writes "last activity 5 days ago", which Slack keeps up to date. */
export function lastActivity(pull: Pull | undefined): string {
  return `last activity ${date(touchedAt(pull), "{ago}")}`
}

export function byWords(login: string | undefined): string {
  return login ? ` by ${foreignLine(login, 40)}` : ""
}

/** Returns the size unless the bot has not read it since the latest round: it is out of date then. */
export function sizeOf(pull: Pull | undefined): Pull["size"] {
  const isRead = pull?.lookedAt !== undefined && pull.lookedAt >= pull.since
  return isRead ? pull.size : undefined
}

/**
 * Writes how much the pull request changes: "2 files, +45 −9 · a.md, b.md".
 * @param isShown whether the message has the changed lines, which name their files themselves
 */
export function changedFilesWords(pull: Pull | undefined, isShown = false): string | undefined {
  const size = sizeOf(pull)
  if (!size) return undefined
  const { files, added, removed, names, changes } = size
  const shown = isShown ? (changes ?? []).map(({ path }) => path) : []
  const others = names.filter((name) => !shown.includes(name))
  const amount = `${counted(files, "file")}, +${added} −${removed}`
  if (others.length === 0) return amount
  const namesAll = shown.length + others.length >= files
  const listed = others.map((name) => foreignLine(name, 40))
  if (!namesAll) listed.push("…")
  return `${amount} · ${listed.join(", ")}`
}

/** Writes what a follow-up changed, and the size of the whole: "+2 −0, in all 2 files, +8 −0". */
export function roundSizeWords(job: Pick<Job, "pull" | "rounds">): string | undefined {
  const { pull } = job
  const all = changedFilesWords(pull, true)
  const before = currentRound(job).sizeBefore
  if (!all || !pull?.size || !before) return all && `in all ${all}`
  const [added, removed] = [pull.size.added - before.added, pull.size.removed - before.removed]
  // A follow-up that takes lines back makes the whole smaller.
  if (added < 0 || removed < 0) return `now ${all} (before: +${before.added} −${before.removed})`
  return added + removed === 0 ? `in all ${all}` : `+${added} −${removed}, in all ${all}`
}

/** Writes the state for the card: ready, updated, draft, approved, or with changes requested. */
export function readyWords(job: Job, gitHubHost: string) {
  const { state, by } = job.pull ?? {}
  const link = pullRequestLink(job, gitHubHost)
  const ready = `*Pull request ${isUpdate(job) ? "updated" : "ready"}*`
  const emoji = "white_check_mark" as const
  if (!link) {
    const next = "Find it in your repository."
    return { emoji, state: `${ready}, but its link can't be shown`, next, saysRound: true }
  }
  if (state === "draft") return { emoji, state: `*Draft pull request*: ${link}` }
  if (state === "approved") return { emoji, state: `*Approved*${byWords(by)}: ${link}` }
  if (state !== "changes_requested") return { emoji, state: `${ready}: ${link}`, saysRound: true }
  return { emoji: "warning" as const, state: `*Changes requested*${byWords(by)}: ${link}` }
}

export function overWords({ state, by }: Pull): string {
  return state === "merged" ? `:tada: *Merged*${byWords(by)}` : "*Closed* without merging"
}
