import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { FallbackMemory } from "./shown.ts"

/**
 * How rich a message a workspace takes, best first: native chart and data table, then a table, then
 * text. Workspaces get new blocks at different times and refuse the others with `invalid_blocks`.
 */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]

/** Slack takes other messages for one person in a channel, for a whole channel and in direct messages. */
export type PostKind = "ephemeral" | "channel" | "direct"

/**
 * What Slack says of the place or of the bot's rights there: poorer blocks would be refused as well.
 * Every other final refusal may be one of the blocks, as no document says where charts and tables are
 * taken, nor in which words they are refused.
 */
const NOT_OF_THE_BLOCKS = new Set([
  "access_denied",
  "cannot_reply_to_message",
  "channel_not_found",
  "ekm_access_denied",
  "expired_url",
  "invalid_url",
  "is_archived",
  "is_inactive",
  "message_not_found",
  "messages_tab_disabled",
  "missing_scope",
  "no_permission",
  "not_allowed_token_type",
  "not_in_channel",
  "thread_not_found",
  "unknown_method",
  "used_url",
  "user_not_found",
  "user_not_in_channel",
])

export function postKindOf(channel: string): PostKind {
  return channel.startsWith("D") ? "direct" : "channel"
}

/**
 * Sends a message as rich as Slack takes posts of its kind. What was refused is not tried again for
 * a day, so a workspace without charts costs one failed attempt a day and not one per report.
 */
export async function sendWithFallback<T>(
  memory: FallbackMemory,
  posts: { team: string; kind: PostKind },
  message: (level: FallbackLevel) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const start = (await memory.of(posts)) ?? "chart"
  let refused: unknown
  for (const level of fallbackLevels.slice(fallbackLevels.indexOf(start))) {
    try {
      const sent = await send(message(level))
      if (level !== start) await memory.remember(posts, level)
      return sent
    } catch (error) {
      if (!(error instanceof SlackError && mayBeOfTheBlocks(error))) throw error
      refused = error
    }
  }
  throw refused
}

function mayBeOfTheBlocks({ verdict, code, method }: SlackError): boolean {
  // A response URL has no answer that can be looked up, and what it shows twice one person sees.
  if (method === "response_url" && code === "broken_body") return true
  if (verdict === "give_up") return !NOT_OF_THE_BLOCKS.has(code) && !code.startsWith("restricted_")
  return /^http_4(?!08|29)\d\d$/.test(code)
}
