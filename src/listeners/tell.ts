import { orSlackError, SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { IsOwnDirect, Outbound } from "../ports/outbound.ts"

interface TellDeps {
  outbound: Pick<Outbound, "respond" | "postEphemeral" | "direct" | "post">
  isOwnDirect: IsOwnDirect
}

/** Who is told something, and where they typed or clicked. */
export interface Told {
  user: string
  channel?: string | undefined
  /** The thread it belongs to, where there is one. */
  thread?: string | undefined
  /** Slack's response_url. */
  replyUrl?: string | undefined
  /** Is the channel known to be the bot's own direct message with this person? */
  isOwnDirect?: boolean | undefined
}

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
  if (replace && replyUrl) return outbound.respond(replyUrl, message, { replace })
  if (!channel) return toPerson(deps, to, message)
  const own = await isInOwnDirect(deps, to)
  if (own) return void (await outbound.post({ channel, thread }, message))
  if (own === undefined) return void (await outbound.direct(user, message))
  if (!replyUrl) return outbound.postEphemeral({ channel, thread, user }, message)
  if (!thread) return outbound.respond(replyUrl, message)
  const refused = await outbound
    .postEphemeral({ channel, thread, user }, message)
    .catch(orSlackError)
  if (refused instanceof SlackError) await outbound.respond(replyUrl, message, { thread })
}

async function toPerson({ outbound }: TellDeps, { user, replyUrl }: Told, message: Message) {
  if (replyUrl) await outbound.respond(replyUrl, message)
  else await outbound.direct(user, message)
}

/** Is this the bot's own direct message with the person? Undefined where Slack does not say. */
export async function isInOwnDirect(
  deps: Pick<TellDeps, "isOwnDirect">,
  { channel, isOwnDirect }: Told,
): Promise<boolean | undefined> {
  if (!channel?.startsWith("D")) return false
  return isOwnDirect ?? deps.isOwnDirect(channel)
}
