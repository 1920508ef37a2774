import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

/** Richest first: native chart and data table, then a table, then text. */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]
const knownLevel = z.enum(fallbackLevels).catch("chart")

/** Slack may accept different blocks in each kind of message. */
type PostKind = "ephemeral" | "channel" | "direct"

/** Time in ms after which the bot tries the richest form again, because workspaces get new block types. */
const LEVEL_MS = 24 * 3_600_000

/** Matches codes about the channel or the bot's rights there; Slack would refuse simpler blocks too. */
const NOT_OF_THE_BLOCKS =
  /not_in_channel|not_found|is_archived|is_inactive|restricted_|denied|missing_scope|no_permission|_url$|disabled|unknown_method|not_allowed_token|cannot_/

export function postKindOf(channel: string): PostKind {
  return channel.startsWith("D") ? "direct" : "channel"
}

/** Sends a message in the richest form that Slack accepts, and remembers which forms Slack refused. */
export function createFallback(redis: RedisClient) {
  return async function sendWithFallback(
    kind: PostKind,
    message: (level: FallbackLevel) => Message,
    send: (message: Message) => Promise<unknown>,
  ): Promise<void> {
    const known = key("v", "level", kind)
    const start = knownLevel.parse(await redis.get(known))
    let refused: unknown
    for (const level of fallbackLevels.slice(fallbackLevels.indexOf(start))) {
      try {
        await send(message(level))
        if (level !== start) await redis.set(known, level, "PX", LEVEL_MS)
        return
      } catch (error) {
        if (!(error instanceof SlackError && mayBeOfTheBlocks(error))) throw error
        refused = error
      }
    }
    throw refused
  }
}

/** No document says where Slack accepts charts and tables, nor with which codes it refuses them. */
function mayBeOfTheBlocks({ verdict, code, method }: SlackError): boolean {
  // The bot cannot look up what a response_url posted, and only one person would see it twice.
  if (method === "response_url" && code === "broken_body") return true
  if (verdict === "give_up") return !NOT_OF_THE_BLOCKS.test(code)
  return /^http_4(?!08|29)\d\d$/.test(code)
}
