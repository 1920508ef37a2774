import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { announceMessage } from "../delivery/message-events.ts"
import { SLACKBOT } from "../seed/people.ts"
import { postMessage } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { composeMessage } from "./compose.ts"
import type { Posted } from "./speak.ts"

interface SlackbotPost {
  readonly thread?: string | undefined
  /** Subtype, such as `huddle_thread` of the message that begins a huddle. */
  readonly subtype?: string | undefined
}

/** App installed with a webhook: it has a name but no user. */
const DEPLOYS = { botId: "B0DEPLOYS01", appId: "A0DEPLOYS01", name: "Deploys" }

interface AppPost {
  /** Person with whose own token the app posts. */
  readonly user?: string | undefined
  /** Workspace that installed the app, this one by default; "" for one that Slack does not tell. */
  readonly team?: string | undefined
  /** Name that replaces the app's own in this message. */
  readonly username?: string | undefined
  readonly text?: string | undefined
  readonly blocks?: readonly JsonObject[] | undefined
  readonly attachments?: readonly JsonObject[] | undefined
  /** Timestamp of a thread's root. */
  readonly thread?: string | undefined
}

/** Returns verbs of those who post but are neither the bot nor a person at Slack's client. */
export function otherAuthors(core: Core) {
  /**
   * Posts as Slackbot: a notice, a reminder that somebody set with `/remind`, or an automatic answer.
   * Such messages "often carry neither `bot_id` nor a subtype", so they look like a person's.
   */
  async function slackbotSays(
    channel: string,
    typed: string,
    { thread: threadTs, subtype }: SlackbotPost = {},
  ): Promise<Posted> {
    const words = composeMessage(core.workspace, typed)
    const draft = { channel, user: SLACKBOT, ...words, threadTs, subtype }
    const message = postMessage(core.workspace, draft)
    return { ...message, deliveries: await announceMessage(core, message) }
  }
  return {
    slackbotSays,
    /** Makes Slackbot answer every message with these words, those of apps too. */
    slackbotAnswers(words: string, answer: string): void {
      core.workspace.changes.subscribe((change) => {
        if (change.type !== "message_posted" || change.message.user === SLACKBOT) return
        const { channel, text, threadTs: thread } = change.message
        if (text.includes(words)) void slackbotSays(channel, answer, { thread })
      })
    },
    /**
     * Posts as another app or a workflow, as Slack stores it: subtype `bot_message` and no `user`.
     * "Some bot_messages also include username" (bot_message). A post with a person's token has a
     * `bot_id`, too, but the person's `user` and no subtype.
     */
    postAsApp(channel: string, post: AppPost): Message {
      const { user = "", text = "", blocks, attachments, thread: threadTs, username, team } = post
      return postMessage(core.workspace, {
        channel,
        user,
        app: { ...DEPLOYS, username, teamId: team ?? core.workspace.team.id },
        subtype: user === "" ? "bot_message" : undefined,
        text,
        blocks,
        attachments,
        threadTs,
      })
    },
  }
}
