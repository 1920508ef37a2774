/** Posts in a request's thread: the closing reply of a round, a review, the pull request's end. */

import { isOver, type Job, type Pull } from "../jobs/job.ts"
import type { Ending } from "../jobs/round.ts"
import { currentRound, endingOf, isUpdate } from "../jobs/rounds.ts"
import type { Message } from "../slack/message.ts"
import { message } from "./blocks.ts"
import { endingWords } from "./endings.ts"
import { replyButtons, reviewButtons } from "./job-buttons.ts"
import { mentions } from "./mrkdwn.ts"
import {
  byWords,
  changedFilesWords,
  overWords,
  pullRequestLink,
  pullWords,
  roundSizeWords,
  withChanges,
} from "./pull-request.ts"

interface PostFacts {
  job: Job
  users: readonly string[]
  gitHubHost: string
}

interface ResultFacts extends PostFacts {
  /** True for a direct message about a job of a channel, where an answer would reach no job. */
  isDirect?: boolean
}

function withMentions(users: readonly string[], text: string): string {
  return [mentions(users), text].filter(Boolean).join(" ")
}

/**
 * Renders the closing reply of a round. Leaves out the pull request's state, which would become out
 * of date here and which the card shows. An edit adds a size found later.
 */
export function resultReply({ job, users, gitHubHost, ...facts }: ResultFacts): Message {
  const ending = endingOf(job)
  if (!ending) throw new Error(`Job ${job.id} has no result yet.`)
  const here = job.channel.startsWith("D") ? "reply" : "mention me"
  const change = facts.isDirect ? "" : ` To change it, ${here} here.`
  const next = cameLate(job) ? "." : `: review it before merging.${change}`
  const reply = message({
    lines: [withMentions(users, resultWords(job, ending, gitHubHost))],
    // For an update, the first closing reply in the thread already has the note.
    small: ending === "pull_request" && !isUpdate(job) ? `Written by AI${next}` : undefined,
    buttons: replyButtons(job),
  })
  return ending === "pull_request" ? withChanges(reply, job.pull) : reply
}

function resultWords(job: Job, ending: Ending, gitHubHost: string): string {
  const label = pullRequestLink(job, gitHubHost)
  if (ending !== "pull_request" || !label) {
    const { state, next } = endingWords(job, ending, gitHubHost)
    return [state, next].filter(Boolean).join("\n")
  }
  const size = changedFilesWords(job.pull, true)
  if (isUpdate(job)) return [`*Updated* ${label}`, roundSizeWords(job)].filter(Boolean).join(": ")
  const ready = cameLate(job) ? "" : " is ready"
  return [`*Your pull request${ready}*: ${label}`, size].filter(Boolean).join(" · ")
}

/** Returns whether the reply comes after the pull request's end. What was posted keeps its words. */
function cameLate(job: Job): boolean {
  const { told } = currentRound(job)
  return told ? told.wasOver === true : isOver(job.pull?.state)
}

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
