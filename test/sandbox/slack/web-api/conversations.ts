import { z } from "zod"
import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { messageObject, messagesOf, repliesTo } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { readableChannel, requireScope, slackNames, visibleChannel } from "./channels.ts"
import { withMetadata } from "./chat.ts"
import { ApiError, checkArguments, count, flag, id, type Method } from "./method.ts"
import { tier3 } from "./rate-limits.ts"

/** Returns the scopes of a method of which any one is enough: the channel's own is asked for later. */
function scopesTo(verb: "history" | "read"): string[] {
  return Object.values(slackNames).map(({ plural }) => `${plural}:${verb}`)
}

const schema = z.object({
  channel: id,
  cursor: z.string().optional(),
  // "Specify a limit value under 1000."
  limit: count.max(999).optional(),
  oldest: z.string().default("0"),
  latest: z.string().optional(),
  inclusive: flag.default(false),
  include_all_metadata: flag.default(false),
})
type Range = z.output<typeof schema>

/** Returns a channel's messages outside threads, newest first. */
export const conversationsHistory: Method = {
  scopes: scopesTo("history"),
  limit: tier3,
  run(core, args) {
    const range = checkArguments(schema, args)
    checkTimes(range)
    const channel = readableChannel(core, range.channel)
    const roots = [...messagesOf(core.workspace, channel.id).values()]
      .filter((message) => message.threadTs === undefined && isWithin(message, range))
      .reverse()
    return pageOf(core, roots, range, 100)
  },
}

/** Returns a thread: the root, then its replies, oldest first. */
export const conversationsReplies: Method = {
  scopes: scopesTo("history"),
  limit: tier3,
  run(core, args) {
    const range = checkArguments(schema.extend({ ts: id }), args)
    checkTimes(range)
    const channel = readableChannel(core, range.channel)
    const asked = messagesOf(core.workspace, channel.id).get(range.ts)
    if (asked === undefined) throw new ApiError("thread_not_found")
    // "If no replies, just the single message referenced by ts will return."
    if (asked.threadTs !== undefined) return pageOf(core, [asked], range, 1000)
    const replies = repliesTo(core.workspace, channel.id, asked.ts)
    // The root is included whatever the range.
    const within = replies.filter((reply) => isWithin(reply, range))
    return pageOf(core, [asked, ...within], range, 1000)
  },
}

/** Checks the range. @throws ApiError `invalid_ts_oldest` or `invalid_ts_latest`. */
function checkTimes({ oldest, latest }: Range): void {
  if (!Number.isFinite(Number(oldest))) throw new ApiError("invalid_ts_oldest")
  if (!Number.isFinite(Number(latest ?? 0))) throw new ApiError("invalid_ts_latest")
}

function isWithin(message: Message, range: Range): boolean {
  const ts = Number(message.ts)
  const oldest = Number(range.oldest)
  const latest = range.latest === undefined ? Infinity : Number(range.latest)
  if (range.inclusive) return ts >= oldest && ts <= latest
  return ts > oldest && ts < latest
}

function pageOf(
  core: Core,
  messages: readonly Message[],
  range: Range,
  otherwise: number,
): JsonObject {
  const start = range.cursor ? positionOf(range.cursor) : 0
  const end = start + (range.limit ?? otherwise)
  const page = messages.slice(start, end).map((message) => {
    const object = messageObject(core.workspace, message)
    return range.include_all_metadata ? withMetadata(object, message.metadata) : object
  })
  const hasMore = end < messages.length
  const next: JsonObject = hasMore ? { response_metadata: { next_cursor: cursorAt(end) } } : {}
  return { messages: page, has_more: hasMore, ...next }
}

/** Returns a cursor, opaque to the bot; here it contains a position. */
function cursorAt(position: number): string {
  return Buffer.from(`next:${position}`).toString("base64")
}

/** Returns a cursor's position. @throws ApiError `invalid_cursor`. */
function positionOf(cursor: string): number {
  const match = /^next:(\d+)$/.exec(Buffer.from(cursor, "base64").toString("utf8"))
  if (match?.[1] === undefined) throw new ApiError("invalid_cursor")
  return Number(match[1])
}

/** Returns what a channel is: "is_private means the conversation is privileged". */
export const conversationsInfo: Method = {
  scopes: scopesTo("read"),
  limit: tier3,
  run(core, args) {
    const asked = checkArguments(z.object({ channel: id }), args)
    const { id: channel, kind, name } = visibleChannel(core, asked.channel)
    requireScope(core, `${slackNames[kind].plural}:read`)
    return {
      channel: {
        id: channel,
        name,
        is_channel: kind === "public" || kind === "private",
        is_group: false,
        is_im: kind === "im",
        is_mpim: kind === "mpim",
        is_private: kind !== "public",
      },
    }
  },
}
