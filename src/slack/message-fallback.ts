import type { Message } from "./message-types.ts"
import { SlackError } from "./slack-error.ts"

/** Forms of a report, richest first: native chart and data table, a table, or text. */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]

/** Pattern for codes about the channel or the bot's rights, which simpler blocks do not change. */
const NOT_OF_THE_BLOCKS =
  /not_in_channel|not_found|is_archived|is_inactive|restricted_|denied|missing_scope|no_permission|_url$|disabled|unknown_method|not_allowed_token|cannot_/

/** Sends a message in the richest form that Slack accepts. @throws SlackError */
export async function sendWithFallback(
  message: (level: FallbackLevel) => Message,
  send: (message: Message) => Promise<unknown>,
): Promise<void> {
  let refused: unknown
  for (const level of fallbackLevels) {
    try {
      return void (await send(message(level)))
    } catch (error) {
      if (!(error instanceof SlackError && mayBeOfTheBlocks(error))) throw error
      refused = error
    }
  }
  throw refused
}

/** Returns whether Slack may have refused the blocks: no document names the codes for that. */
function mayBeOfTheBlocks({ verdict, code, method }: SlackError): boolean {
  // The bot cannot look up what a response_url posted, and only one person would see it twice.
  if (method === "response_url" && code === "broken_body") return true
  if (verdict === "give_up") return !NOT_OF_THE_BLOCKS.test(code)
  return /^http_4(?!08|29)\d\d$/.test(code)
}
