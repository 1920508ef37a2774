import { isOver, type Job, type Pull } from "../jobs/job.ts"
import { sentAsks } from "../jobs/rounds.ts"
import type { Message } from "../slack/message-types.ts"
import { message } from "./blocks.ts"
import { type PostFacts, withMentions } from "./closing-reply.ts"
import { reviewButtons } from "./job-buttons.ts"
import { byWords, overWords, pullWords } from "./pull-request-words.ts"

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

/** Returns who asked for anything in the pull request, first ones first, and has not muted the job. */
export function peopleOf(job: Job): string[] {
  const people = new Set(sentAsks(job).flatMap((ask) => (ask.isForgotten ? [] : ask.user)))
  return [...people].filter((user) => !job.muted.includes(user)).slice(0, MAX_MENTIONED)
}
