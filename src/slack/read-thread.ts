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
    const replies = await newestReplies(client, range)
    const { heard, hasOutsiders } = await heardIn(replies.messages, await me(), outsidersAmong)
    const names = await namesOf(peopleIn(heard), profileOf)
    const messages = heard.map((message) => ({
      speaker: (message.user && names.get(message.user)) ?? message.app ?? message.user ?? "an app",
      text: toPlainText(message.text, names),
      files: message.files,
      isFirst: message.ts === range.thread,
    }))
    return { messages, isWhole: replies.isWhole, hasOutsiders }
  }
}

/** Leaves out the bot's own messages, those to it, and all that the agent may not see. */
async function heardIn(
  messages: readonly Said[],
  me: Pick<Identity, "user" | "bot">,
  outsidersAmong: OutsidersAmong,
) {
  const isToUs = ({ text }: { text: string }) => mentionedUsers(text).includes(me.user)
  const isOurs = ({ user, bot }: Said) => user === me.user || (bot !== undefined && bot === me.bot)
  const said = messages.filter((message) => !isOurs(message) && !isToUs(message))
  const parts = said.flatMap((message) => [message, ...message.forwards, ...message.files])
  const isOut = await outsidersAmong(parts)
  const seen = said.filter((message) => !isOut(message))
  const heard = seen.map((message) => {
    const passedOn = message.forwards.filter((forward) => !isOut(forward) && !isToUs(forward))
    const text = [message, ...passedOn].map((part) => part.text).join("\n")
    return { ...message, text, files: message.files.filter((file) => !isOut(file)) }
  })
  const isEmpty = ({ text, files }: Said) => text.trim() === "" && files.length === 0
  return { heard: heard.filter((message) => !isEmpty(message)), hasOutsiders: parts.some(isOut) }
}

/** Lists recent speakers first and mentioned people last, because only so many are looked up. */
function peopleIn(heard: readonly Said[]): string[] {
  const speakers = heard.toReversed().flatMap(({ user }) => user ?? [])
  return [...speakers, ...heard.flatMap(({ text }) => mentionedUsers(text))]
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
