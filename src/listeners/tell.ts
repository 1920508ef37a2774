import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import type { Caller } from "../slack/payloads.ts"
import type { AgentDeps } from "./deps.ts"

/** The person to tell, and where they typed or clicked. */
export type Told = Pick<Caller, "user" | "channel" | "thread" | "replyUrl" | "isOwnDirect">

/**
 * Tells the person who typed or clicked something privately, in the same place. @param replace
 * replaces the clicked message
 *
 * - In the bot's own direct message it posts an ordinary message, because Slack does not keep
 *   ephemeral ones.
 * - If Slack does not say whether a direct message is the bot's own or between two people, the
 *   answer goes to the bot's own: in the other, the second person would read it.
 * - In a thread it uses chat.postEphemeral. Slack's documents promise threads for response_urls
 *   only with public answers, so it uses those only if the bot is no member.
 */
export async function tell(
  deps: Pick<AgentDeps, "outbound" | "isOwnDirect">,
  to: Told,
  message: Message,
  replace = false,
): Promise<void> {
  const { outbound } = deps
  const { user, channel, thread, replyUrl } = to
  if (replyUrl && (replace || !channel)) return outbound.respond(replyUrl, message, { replace })
  const own = await isInOwnDirect(deps, to)
  if (!channel || own === undefined) return void (await outbound.direct(user, message))
  if (own) return void (await outbound.post({ channel, thread }, message))
  if (replyUrl && !thread) return outbound.respond(replyUrl, message)
  const refused = await outbound
    .postEphemeral({ channel, thread, user }, message)
    .then(() => undefined, orSlackError)
  if (refused && !replyUrl) throw refused
  if (refused && replyUrl) await outbound.respond(replyUrl, message, { thread })
}

/** Returns whether this is the bot's own direct message with the person; undefined if Slack does not say. */
export async function isInOwnDirect(
  deps: Pick<AgentDeps, "isOwnDirect">,
  { channel, isOwnDirect }: Told,
): Promise<boolean | undefined> {
  if (!channel?.startsWith("D")) return false
  return isOwnDirect ?? deps.isOwnDirect(channel)
}
