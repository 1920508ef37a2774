import { z } from "zod"
import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"

/** Forms of a report, richest first: native chart and data table, a table, or text. */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]
const knownLevel = z.enum(fallbackLevels).catch("chart")

/** Kinds of messages, in each of which Slack may accept different blocks. */
type PostKind = "ephemeral" | "channel" | "direct"

/** Time in ms after which the bot tries the richest form again: workspaces get new blocks. */
const LEVEL_MS = 24 * 3_600_000

/** Pattern for codes about the channel or the bot's rights, which simpler blocks do not change. */
const NOT_OF_THE_BLOCKS =
  /not_in_channel|not_found|is_archived|is_inactive|restricted_|denied|missing_scope|no_permission|_url$|disabled|unknown_method|not_allowed_token|cannot_/

export function postKindOf(channel: string): PostKind {
  return channel.startsWith("D") ? "direct" : "channel"
}

/** Creates a sender that uses the richest form that Slack accepts, and remembers which one. */
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

/** Returns whether Slack may have refused the blocks: no document names the codes for that. */
function mayBeOfTheBlocks({ verdict, code, method }: SlackError): boolean {
  // The bot cannot look up what a response_url posted, and only one person would see it twice.
  if (method === "response_url" && code === "broken_body") return true
  if (verdict === "give_up") return !NOT_OF_THE_BLOCKS.test(code)
  return /^http_4(?!08|29)\d\d$/.test(code)
}
