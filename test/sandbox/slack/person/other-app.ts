import type { JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { postMessage } from "../workspace/messages.ts"
import type { Message, OtherApp } from "../workspace/model.ts"

/** App installed with a webhook: it has a name but no user. */
const DEPLOYS: OtherApp = { botId: "B0DEPLOYS01", appId: "A0DEPLOYS01", name: "Deploys" }

export interface AppPost {
  readonly text?: string | undefined
  readonly blocks?: readonly JsonObject[] | undefined
  readonly attachments?: readonly JsonObject[] | undefined
  /** Timestamp of a thread's root. */
  readonly thread?: string | undefined
}

/** Posts as another app, as Slack stores it: subtype `bot_message`, a `username`, no `user`. */
export function postAsApp(core: Core, channel: string, post: AppPost): Message {
  const { text = "", blocks, attachments, thread: threadTs } = post
  return postMessage(core.workspace, {
    channel,
    user: "",
    app: DEPLOYS,
    subtype: "bot_message",
    text,
    blocks,
    attachments,
    threadTs,
  })
}
