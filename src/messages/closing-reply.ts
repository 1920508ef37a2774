import type { RichTextSection, RichTextText } from "@slack/types"
import { isOver, type Job, type Pull } from "../jobs/job.ts"
import type { Ending, Round } from "../jobs/round-record.ts"
import { currentRound, endingOf, isUpdate } from "../jobs/rounds.ts"
import { harmless } from "../lib/plain-text.ts"
import type { Message } from "../slack/message-types.ts"
import { cutText, message } from "./blocks.ts"
import { endingWords } from "./ending-words.ts"
import { replyButtons } from "./job-buttons.ts"
import { foreignLine, mentions, plainLine } from "./mrkdwn.ts"
import { changedFilesWords, pullRequestLink, roundSizeWords, sizeOf } from "./pull-request-words.ts"

export interface PostFacts {
  job: Job
  users: readonly string[]
  gitHubHost: string
}

interface ResultFacts extends PostFacts {
  /** True for a direct message about a job of a channel, where an answer would reach no job. */
  isDirect?: boolean
}

export function withMentions(users: readonly string[], text: string): string {
  return [mentions(users), text].filter(Boolean).join(" ")
}

/**
 * Renders the closing reply of a round. Leaves out the pull request's state, which would become out
 * of date here and which the card shows, but calls no draft ready. An edit adds what is found later.
 */
export function resultReply({ job, users, gitHubHost, ...facts }: ResultFacts): Message {
  const ending = endingOf(job)
  if (!ending) throw new Error(`Job ${job.id} has no result yet.`)
  const here = job.channel.startsWith("D") ? "reply" : "mention me"
  const change = facts.isDirect ? "" : ` To change it, ${here} here.`
  const next = shownPhase(job) === "over" ? "." : `: review it before merging.${change}`
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
  const words = YOURS[shownPhase(job) ?? "ready"]
  return [`*${words}*: ${label}`, size].filter(Boolean).join(" · ")
}

const YOURS = {
  draft: "Your draft pull request",
  ready: "Your pull request is ready",
  over: "Your pull request",
}

/**
 * Returns the pull request's phase that the reply is about; undefined for a ready one. The end of
 * the pull request has a post of its own, so a reply from before it keeps its words.
 */
export function shownPhase(job: Job): NonNullable<Round["told"]>["phase"] {
  const { told } = currentRound(job)
  const state = job.pull?.state
  if (!isOver(state)) return state === "draft" ? "draft" : undefined
  return told ? told.phase : "over"
}

/**
 * Adds the lines of a small change below a message's first block: removed ones struck out and with
 * a minus, added ones with a plus, so that nobody needs color. Rich text shows MDX as it is written.
 */
function withChanges(message: Message, pull: Pull | undefined): Message {
  const changes = sizeOf(pull)?.changes
  if (!changes || changes.length === 0) return message
  const [first, ...rest] = message.blocks
  const elements = changes.map(
    ({ path, lines }): RichTextSection => ({
      type: "rich_text_section",
      elements: [
        { type: "text", text: `${plainLine(path, 200)}\n`, style: { bold: true } },
        ...lines.map(shownLine),
      ],
    }),
  )
  const said = changes.flatMap(({ path, lines }) => [
    foreignLine(path, 200),
    ...lines.map((line) => foreignLine(signed(line), 210)),
  ])
  return {
    text: cutText([message.text, ...said].join("\n")),
    blocks: [...(first ? [first] : []), { type: "rich_text", elements } as const, ...rest],
  }
}

function shownLine(line: string): RichTextText {
  const style = line.startsWith("-") ? { style: { strike: true } } : {}
  return { type: "text", text: `${signed(line)}\n`, ...style }
}

/** Writes a changed line with a true minus sign or a plus. */
function signed(line: string): string {
  return `${line.startsWith("-") ? "−" : "+"} ${harmless(line.slice(1))}`
}
