import type { Places } from "./channel-membership.ts"
import type { Message } from "./message-types.ts"
import type { Caller } from "./payloads.ts"
import { refusalOf } from "./slack-error.ts"
import type { Conversation, Posted, ResponseOptions } from "./write-to-slack.ts"

/** Person to tell something, and where they typed or clicked. */
export type Told = Pick<Caller, "user" | "channel" | "thread" | "ts" | "replyUrl" | "isOwnDirect">

/** Ways to write for one person. `Content` is a message, or what one is rendered from. */
export interface PrivateWriter<Content = Message> {
  outbound: {
    post: (to: Conversation, content: Content) => Promise<Posted>
    postEphemeral: (to: Conversation & { user: string }, content: Content) => Promise<unknown>
    respond: (url: string, content: Content, options?: ResponseOptions) => Promise<unknown>
    direct: (user: string, content: Content) => Promise<Posted>
  }
  places: Pick<Places, "isOwnDirect" | "openThread">
}

/**
 * Answers a person privately. Resolves to the message if the bot can edit it later.
 * @param replace whether to replace the message that they clicked
 */
export async function tell<Content = Message>(
  slack: PrivateWriter<Content>,
  to: Told,
  message: Content,
  replace = false,
): Promise<Posted | undefined> {
  const { outbound } = slack
  const { user, channel, thread, replyUrl } = to
  if (replyUrl && (replace || !channel)) {
    await outbound.respond(replyUrl, message, { replace })
    return undefined
  }
  const own = await isInOwnDirect(slack, to)
  // A direct message may be between two people, and the other one would read the answer.
  if (!channel || own === undefined) return outbound.direct(user, message)
  // Slack does not keep ephemeral messages in the bot's own direct message.
  if (own) return outbound.post({ channel, thread: await threadFor(slack, to) }, message)
  await tellUnseen(outbound, { user, channel, thread, replyUrl }, message)
  return undefined
}

/** Shows a message that only this person sees, and that Slack drops at the next reload. */
async function tellUnseen<Content>(
  outbound: Pick<PrivateWriter<Content>["outbound"], "postEphemeral" | "respond">,
  { user, channel, thread, replyUrl }: Told & { channel: string },
  message: Content,
): Promise<void> {
  if (replyUrl && !thread) return void (await outbound.respond(replyUrl, message))
  // Slack's documents promise threads for response_urls only with public answers, so a thread gets
  // one only if Slack refuses the ephemeral message. If the outcome is unclear, the bot doesn't
  // send a second message.
  const refused = await refusalOf(outbound.postEphemeral({ channel, thread, user }, message))
  if (!refused || refused.verdict === "unknown") return
  if (!replyUrl) throw refused
  await outbound.respond(replyUrl, message, { thread })
}

/** Returns the thread of an answer in a direct message, which an agent opens below each message. */
async function threadFor(
  { places }: Pick<PrivateWriter, "places">,
  { channel = "", thread, ts }: Told,
) {
  if (thread !== undefined || ts === undefined) return thread
  return (await places.openThread({ channel, thread: ts })) ? ts : undefined
}

/** Returns whether this is the bot's own direct message; undefined if Slack does not say. */
export async function isInOwnDirect(
  slack: Pick<PrivateWriter, "places">,
  { channel, isOwnDirect }: Told,
): Promise<boolean | undefined> {
  if (!channel?.startsWith("D")) return false
  return isOwnDirect ?? slack.places.isOwnDirect(channel)
}
