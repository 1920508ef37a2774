import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

/**
 * The kinds of message that a workspace accepts, richest first: native chart and data table, then a table, then
 * text. Workspaces get new blocks at different times and refuse the others with `invalid_blocks`.
 */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]

/** Slack takes other messages for one person in a channel, for a whole channel and in direct messages. */
type PostKind = "ephemeral" | "channel" | "direct"

/** New blocks reach a workspace some day: it is offered the rich message again after this. */
const LEVEL_MS = 24 * 3_600_000

/** Codes about the place or the bot's rights there: poorer blocks would be refused as well. */
const NOT_OF_THE_BLOCKS =
  /not_in_channel|not_found|is_archived|is_inactive|restricted_|denied|missing_scope|no_permission|_url$|disabled|unknown_method|not_allowed_token|cannot_/

export function postKindOf(channel: string): PostKind {
  return channel.startsWith("D") ? "direct" : "channel"
}

export type SendWithFallback = ReturnType<typeof createFallback>

/**
 * Sends a message as rich as Slack takes posts of its kind. What was refused is not tried again for
 * a day, so a workspace without charts costs one failed attempt a day and not one per report.
 */
export function createFallback(redis: RedisClient) {
  return async function sendWithFallback<T>(
    { team, kind }: { team: string; kind: PostKind },
    message: (level: FallbackLevel) => Message,
    send: (message: Message) => Promise<T>,
  ): Promise<T> {
    const known = key("v", "level", team, kind)
    const start = z
      .enum(fallbackLevels)
      .catch("chart")
      .parse(await redis.get(known))
    let refused: unknown
    for (const level of fallbackLevels.slice(fallbackLevels.indexOf(start))) {
      try {
        const sent = await send(message(level))
        if (level !== start) await redis.set(known, level, "PX", LEVEL_MS)
        return sent
      } catch (error) {
        if (!(error instanceof SlackError && mayBeOfTheBlocks(error))) throw error
        refused = error
      }
    }
    throw refused
  }
}

/** No document says where charts and tables are taken, nor in which words they are refused. */
function mayBeOfTheBlocks({ verdict, code, method }: SlackError): boolean {
  // A response URL has no answer that can be looked up, and what it shows twice one person sees.
  if (method === "response_url" && code === "broken_body") return true
  if (verdict === "give_up") return !NOT_OF_THE_BLOCKS.test(code)
  return /^http_4(?!08|29)\d\d$/.test(code)
}
