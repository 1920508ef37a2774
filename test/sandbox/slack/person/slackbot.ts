import type { Core } from "../core.ts"
import { announceMessage } from "../delivery/message-events.ts"
import { SLACKBOT } from "../seed/ids.ts"
import { postMessage } from "../workspace/messages.ts"
import { composeMessage } from "./compose.ts"
import type { Posted } from "./speak.ts"

export interface SlackbotPost {
  readonly thread?: string | undefined
  /** Subtype, such as `huddle_thread` of the message that begins a huddle. */
  readonly subtype?: string | undefined
}

/**
 * Posts as Slackbot: a notice, a reminder that somebody set with `/remind`, or an automatic answer.
 * Such messages "often carry neither `bot_id` nor a subtype", so they look like a person's.
 */
export async function slackbotSays(
  core: Core,
  channel: string,
  typed: string,
  { thread: threadTs, subtype }: SlackbotPost,
): Promise<Posted> {
  const words = composeMessage(core.workspace, typed)
  const draft = { channel, user: SLACKBOT, ...words, threadTs, subtype }
  const message = postMessage(core.workspace, draft)
  return { ...message, deliveries: await announceMessage(core, message) }
}

/** Makes Slackbot answer every message with these words, those of apps too. */
export function slackbotAnswers(core: Core, words: string, answer: string): void {
  core.workspace.changes.subscribe((change) => {
    if (change.type !== "message_posted" || change.message.user === SLACKBOT) return
    const { channel, text, threadTs: thread } = change.message
    if (text.includes(words)) void slackbotSays(core, channel, answer, { thread })
  })
}
