import { HOUR_MS } from "../lib/time.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { Message } from "./message-types.ts"
import { SlackError } from "./slack-error.ts"
import type { Conversation, Outbound, PostKey, ResponseOptions } from "./write-to-slack.ts"

/** Forms of a report, richest first: native chart and data table, a table, or text. */
export const fallbackLevels = ["native", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]

/** Renders a message in one of its forms. */
export type Forms = (level: FallbackLevel) => Message

/** Pattern for codes about the channel or the bot's rights, which simpler blocks do not change. */
const NOT_OF_THE_BLOCKS =
  /not_in_channel|not_found|is_archived|is_inactive|restricted_|denied|missing_scope|no_permission|_url$|disabled|unknown_method|not_allowed_token|cannot_/

/** Time in ms for which simpler blocks come first where Slack refused the others. */
const SIMPLER_MS = HOUR_MS

/**
 * Makes a writer of reports, which sends each in the richest form that Slack accepts. Slack may take
 * charts in posts but not in private answers, so what it refused counts for one way of writing.
 */
export function inRichestForm(
  redis: RedisClient,
  outbound: Pick<Outbound, "post" | "direct" | "postEphemeral" | "respond">,
) {
  return {
    post: (to: Conversation, forms: Forms, part?: PostKey) =>
      sendRichest(redis, "posts", forms, (form) => outbound.post(to, form, part)),
    direct: (user: string, forms: Forms) =>
      sendRichest(redis, "posts", forms, (form) => outbound.direct(user, form)),
    postEphemeral: (to: Conversation & { user: string }, forms: Forms) =>
      sendRichest(redis, "ephemeral", forms, (form) => outbound.postEphemeral(to, form)),
    respond: (url: string, forms: Forms, options?: ResponseOptions) =>
      sendRichest(redis, "response_url", forms, (form) => outbound.respond(url, form, options)),
  }
}

async function sendRichest<Sent>(
  redis: RedisClient,
  surface: "posts" | "ephemeral" | "response_url",
  forms: Forms,
  send: (form: Message) => Promise<Sent>,
): Promise<Sent> {
  const accepted = key("surface", "blocks", surface)
  const known = await redis.get(accepted)
  const first = fallbackLevels.find((level) => level === known) ?? "native"
  let refused: unknown
  for (const level of fallbackLevels.slice(fallbackLevels.indexOf(first))) {
    try {
      const sent = await send(forms(level))
      if (refused) await redis.set(accepted, level, "PX", SIMPLER_MS)
      return sent
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
