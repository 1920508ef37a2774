import { isOver, type Job, type Pull } from "../jobs/job.ts"
import { sentAsks } from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { line, message, packed } from "./blocks.ts"
import { type PostFacts, withMentions } from "./closing-reply.ts"
import { reviewButtons } from "./job-buttons.ts"
import { counted, foreignLine, link } from "./mrkdwn.ts"
import { byWords, lastActivity, overWords, pullWords } from "./pull-request-words.ts"
import { awaitsChanges } from "./status-and-home.ts"

/** Maximum number of people whom one post about the pull request mentions. */
const MAX_MENTIONED = 3

/**
 * Renders the post about requested changes, with the reviewer's first words.
 * @param said what an earlier post said, to render it without its button
 */
export function reviewPost(
  { job, users, gitHubHost }: PostFacts,
  said?: Pick<Pull, "by" | "words">,
): Message {
  const { by, words } = said ?? job.pull ?? {}
  const about = pullWords(job, gitHubHost)
  const text = `*Changes requested*${byWords(by)}${about ? `: ${about}` : ""}`
  return message({
    lines: [withMentions(users, text)],
    quoted: words,
    small: said ? undefined : "*Address the review* sends the new comments to the agent.",
    buttons: said ? [] : reviewButtons(job),
  })
}

/** Renders the post about the end of a pull request, merged or closed. */
export function endPost({ job, users, gitHubHost }: PostFacts): Message {
  const { pull } = job
  if (!pull || !isOver(pull.state)) throw new Error(`The pull request of ${job.id} is still open.`)
  const text = `${overWords(pull)}: ${pullWords(job, gitHubHost)}`
  return message({ lines: [withMentions(users, text)] })
}

/**
 * Returns who asked for anything in the pull request of these jobs, first ones first, and has not
 * muted the job with it.
 */
export function peopleOf(...jobs: readonly Job[]): string[] {
  const people = jobs.flatMap((job) =>
    sentAsks(job)
      .filter(({ user, isForgotten }) => !isForgotten && !job.muted.includes(user))
      .map(({ user }) => user),
  )
  return [...new Set(people)].slice(0, MAX_MENTIONED)
}

/** Maximum number of pull requests that one reminder names. */
const MAX_PULLS = 10

/** Pull request to remind of; `words` stand in for a missing title. */
interface Stale {
  job: Job
  words: string
  /** Address of the card, in whose thread a follow-up changes the pull request. */
  card?: string | undefined
}

/** Renders the reminder, which lists stale pull requests in the given order. */
export function reminderMessage(stale: readonly Stale[], gitHubHost: string) {
  const lines = stale.slice(0, MAX_PULLS).map(({ job, words, card }) => {
    const parts = [needWords(job), lastActivity(job.pull), card && link(card, "View thread")]
    return `• ${pullWords(job, gitHubHost, words)}: ${parts.filter(Boolean).join(" · ")}`
  })
  const more = stale.length - lines.length
  const need = stale.length === 1 ? "needs" : "need"
  const head = `*${counted(stale.length, "pull request")} ${need} attention*`
  const rest = more > 0 ? [`…and ${more} more`] : []
  return message({ lines: packed([head, ...lines, ...rest]) })
}

function needWords(job: Job): string {
  if (job.pull?.state === "approved") return "approved, not merged yet"
  return awaitsChanges(job) ? "changes requested" : "needs a review"
}

/** Facts of a results channel's line beside its job; `asker` is a name. */
interface LineFacts {
  asker: string
  cardUrl: string | undefined
  gitHubHost: string
}

/**
 * Renders the one line about a pull request in a channel that gets all results. It names the asker
 * without notifying them.
 */
export function resultLine(job: Job, { asker, cardUrl, gitHubHost }: LineFacts): Message {
  const request = cardUrl ? link(cardUrl, "request") : "request"
  const words = `${pullWords(job, gitHubHost)} · ${request} by ${foreignLine(asker, 40)}`
  return line(`${stateWords(job.pull)}: ${words}`)
}

function stateWords(pull: Job["pull"]): string {
  if (!isOver(pull?.state)) return pull?.state === "draft" ? "*Draft*" : "*Ready for review*"
  return pull.state === "merged" ? `*Merged*${byWords(pull.by)}` : "*Closed* without merging"
}
