import type { ConversationsRepliesArguments } from "@slack/web-api"
import { z } from "zod"
import { mentionedUsers, toPlainText } from "../lib/plain-text.ts"
import { cleanJson } from "../lib/secrets.ts"
import type { SlackClient } from "./client.ts"
import type { Identity } from "./identity.ts"
import { namesOf, type ProfileSource } from "./profiles.ts"
import { type Author, messageShape } from "./read-message.ts"
import { orSlackError, parseAnswer, SlackError } from "./slack-error.ts"

const page = z.object({
  messages: z.array(messageShape).default([]),
  response_metadata: z.object({ next_cursor: z.string().default("") }).optional(),
})

type Said = z.output<typeof messageShape>

/** Messages per page. Slack's documentation: "Specify a limit value under 1000." */
const PAGE = 999
/** Factor by which a page gets smaller if it has more bytes than the client reads of an answer. */
const SMALLER = 4
/** Maximum calls per thread, of which each halves what is left: Slack allows 50 a minute. */
const MAX_READS = 20
/** Maximum messages to keep; more would hardly fit into a prompt. */
const KEPT = 200

interface ThreadRange {
  channel: string
  thread: string
  /** Timestamps: the first message to leave out, and the last one before those to read. */
  until: string
  from?: string
}

export type ReadThread = ReturnType<typeof createReadThread>

/** Tells which of these the agent may not see. */
export type OutsidersAmong = (
  parts: readonly { by?: Author }[],
) => Promise<(part: { by?: Author }) => boolean>

/**
 * Makes the reader of threads for the context of a prompt. It leaves out the bot's own messages and
 * everything said to it: requests are sent as requests, and other words to the bot never go to the
 * service. `isWhole` is false if the thread is so long that these are its first and its newest.
 */
export function createReadThread(
  client: SlackClient,
  me: () => Promise<Pick<Identity, "user" | "bot">>,
  profileOf: ProfileSource,
  outsidersAmong: OutsidersAmong,
) {
  /** @throws SlackError, also if the bot lacks the permission */
  return async (range: ThreadRange) => {
    const found = await newestReplies(client, range)
    const ours = await me()
    const isToUs = ({ text }: { text: string }) => mentionedUsers(text).includes(ours.user)
    const said = found.messages.filter(
      (m) => m.user !== ours.user && (m.bot === undefined || m.bot !== ours.bot) && !isToUs(m),
    )
    const parts = said.flatMap((m) => [m, ...m.forwards, ...m.files])
    const isOut = await outsidersAmong(parts)
    const heard = said
      .filter((m) => !isOut(m))
      .map((m) => {
        const passedOn = m.forwards.filter((one) => !isOut(one) && !isToUs(one))
        const text = [m, ...passedOn].map((one) => one.text).join("\n")
        return { ...m, text, files: m.files.filter((file) => !isOut(file)) }
      })
      .filter((m) => m.text.trim() !== "" || m.files.length > 0)
    // Puts recent speakers first and mentioned people last, because only so many are looked up.
    const speakers = heard.toReversed().flatMap((m) => m.user ?? [])
    const spokenOf = heard.flatMap((m) => mentionedUsers(m.text))
    const names = await namesOf([...speakers, ...spokenOf], profileOf)
    const messages = heard.map((m) => ({
      speaker: (m.user && names.get(m.user)) ?? m.app ?? m.user ?? "an app",
      text: toPlainText(m.text, names),
      files: m.files,
      isFirst: m.ts === range.thread,
    }))
    return { messages, isWhole: found.isWhole, hasOutsiders: parts.some(isOut) }
  }
}

/**
 * Reads a thread, of a long one its first message and the newest. Slack returns the oldest messages
 * of a range, so this asks for the second half of what is left until that reaches the end, and then
 * for what is left before it.
 */
async function newestReplies(
  client: SlackClient,
  { channel, thread: ts, from, until }: ThreadRange,
) {
  const begin = from ?? ts
  // Range that is not read yet, between the messages of `head` and `tail`.
  const gap = { from: begin, to: until }
  let head: Said[] = []
  let tail: Said[] = []
  let first: Said[] = []
  let isSecondHalf = false
  let limit = PAGE
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const oldest = isSecondHalf ? halfway(gap) : gap.from
    const range = { channel, ts, oldest, latest: gap.to, limit, inclusive: true }
    const read = await readPage(client, range).catch(orSlackError)
    if (read instanceof SlackError) {
      if (read.code !== "broken_body" || limit < SMALLER) throw read
      // A few hundred long messages take more bytes than the client reads, so their answer is cut.
      limit = Math.floor(limit / SMALLER)
      continue
    }
    // Slack returns the thread's first message with every range.
    first = from === undefined ? read.messages.filter((message) => message.ts === ts) : []
    const found = read.messages.filter((message) => message.ts > gap.from && message.ts < gap.to)
    if (read.response_metadata?.next_cursor) {
      head = found
      gap.from = found.at(-1)?.ts ?? oldest
      isSecondHalf = true
      continue
    }
    tail = [...(isSecondHalf ? [] : head), ...found, ...tail]
    if (!isSecondHalf || tail.length >= KEPT) break
    gap.to = oldest
    isSecondHalf = false
  }
  const isWhole = gap.from === begin && tail.length <= KEPT
  const found = tail.length > 0 ? tail : head
  return { messages: [...first, ...found.slice(-KEPT)], isWhole }
}

/** Returns the time between two, as Slack writes it: seconds with six decimals. */
function halfway({ from, to }: { from: string; to: string }): string {
  return ((Number(from) + Number(to)) / 2).toFixed(6)
}

async function readPage(client: SlackClient, query: ConversationsRepliesArguments) {
  const answer = await client.conversations.replies(query)
  return parseAnswer("conversations.replies", page, cleanJson(client.secrets, answer))
}
