import { orSlackError } from "../errors/slack-error.ts"
import type { Message } from "../messages/blocks.ts"
import type { IsOwnDirect } from "../slack/membership.ts"
import type { Caller } from "../slack/payloads.ts"
import type { Outbound } from "../slack/web-outbound.ts"

interface TellDeps {
  outbound: Pick<Outbound, "respond" | "postEphemeral" | "direct" | "post">
  isOwnDirect: IsOwnDirect
}

/** A person to tell something, and where they typed or clicked. */
export type Told = Pick<Caller, "user" | "channel" | "thread" | "replyUrl" | "isOwnDirect">

/**
 * Privately to the person who typed or clicked, in the same place. @param replace what was clicked
 *
 * - In the bot's own direct message it is a message like any: ephemeral ones are not kept.
 * - If Slack does not say whether it is that or one between two people, the answer goes to the bot's own:
 *   in the other, the second person would read it.
 * - In a thread chat.postEphemeral is the sure way; Slack's documents promise threads for answers
 *   by response_url only if they are public, so those are used only where the bot is not a member.
 */
export async function tell(
  deps: TellDeps,
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

/** Tells whether this is the bot's own direct message with the person; undefined if Slack does not say. */
export async function isInOwnDirect(
  deps: Pick<TellDeps, "isOwnDirect">,
  { channel, isOwnDirect }: Told,
): Promise<boolean | undefined> {
  if (!channel?.startsWith("D")) return false
  return isOwnDirect ?? deps.isOwnDirect(channel)
}
