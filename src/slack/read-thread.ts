import type { ConversationsRepliesArguments } from "@slack/web-api"
import { z } from "zod"
import { mentionedUsers, toPlainText } from "../lib/plain-text.ts"
import { cleanJson } from "../lib/secret-filter.ts"
import type { SlackClient } from "./client.ts"
import type { Identity } from "./identity.ts"
import { namesOf, type ProfileSource } from "./profiles.ts"
import { type Author, messageShape } from "./read-message.ts"
import { orSlackError, parseAnswer, SlackError } from "./slack-error.ts"

const page = z.object({
  messages: z.array(messageShape).default([]),
  response_metadata: z.object({ next_cursor: z.string().default("") }).optional(),
})

/** Messages per page. Slack's documentation: "Specify a limit value under 1000." */
const PAGE = 999
/** Factor by which a page gets smaller if it has more bytes than the client reads of an answer. */
const SMALLER = 4
/** Maximum calls per thread: Slack allows 50 a minute, and no real thread has more pages. */
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
 * service. `isWhole` is false if the thread is so long that the messages are only its newest.
 */
export function createReadThread(
  client: SlackClient,
  me: () => Promise<Pick<Identity, "user" | "bot">>,
  profileOf: ProfileSource,
  outsidersAmong: OutsidersAmong,
) {
  /** @throws SlackError, also if the bot lacks the permission */
  return async (range: ThreadRange) => {
    const { from, until } = range
    const found = await newestReplies(client, range)
    const ours = await me()
    const isToUs = ({ text }: { text: string }) => mentionedUsers(text).includes(ours.user)
    const said = found.messages.filter(
      (m) =>
        m.ts < until &&
        (!from || m.ts > from) &&
        m.user !== ours.user &&
        (m.bot === undefined || m.bot !== ours.bot) &&
        !isToUs(m),
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
    }))
    return { messages, isWhole: found.isWhole, hasOutsiders: parts.some(isOut) }
  }
}

/** Reads a thread to its end, because Slack returns the oldest first, and keeps the newest. */
async function newestReplies(
  client: SlackClient,
  { channel, thread: ts, from: oldest, until: latest }: ThreadRange,
) {
  const range = { channel, ts, latest, oldest }
  let messages: z.output<typeof messageShape>[] = []
  let [limit, cursor, isWhole] = [PAGE, "", true]
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const read = await readPage(client, { ...range, limit, cursor }).catch(orSlackError)
    if (read instanceof SlackError) {
      if (read.code !== "broken_body" || limit < SMALLER) throw read
      // A few hundred long messages take more bytes than the client reads, so their answer is cut.
      limit = Math.floor(limit / SMALLER)
      continue
    }
    // Slack may repeat the thread's first message on each page.
    const last = messages.at(-1)?.ts ?? ""
    const all = [...messages, ...read.messages.filter(({ ts }) => ts > last)]
    messages = all.slice(-KEPT)
    isWhole &&= all.length <= KEPT
    cursor = read.response_metadata?.next_cursor ?? ""
    if (cursor === "") return { messages, isWhole }
  }
  return { messages, isWhole: false }
}

async function readPage(client: SlackClient, query: ConversationsRepliesArguments) {
  const answer = await client.conversations.replies(query)
  return parseAnswer("conversations.replies", page, cleanJson(client.secrets, answer))
}
