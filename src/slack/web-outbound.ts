import type { WebClient } from "@slack/web-api"
import { EnvHttpProxyAgent } from "undici"
import type { Message } from "../ports/message.ts"
import type { Conversation, Outbound, PostKey } from "../ports/outbound.ts"
import { NO_SECRETS, type SecretFilter } from "../text/secret-filter.ts"
import { findMessage, METADATA_EVENT } from "./find.ts"
import { NO_STOP_WARNING } from "./logger.ts"
import { dismissAt, respondTo } from "./respond.ts"
import { onlyToSlack } from "./slack-url.ts"
import { uploadFile } from "./upload.ts"
import { toSlackError } from "./verdict.ts"

/** Never unfurl: a pull request link must not pull a preview of a private repository into a channel. */
const NO_UNFURL = { unfurl_links: false, unfurl_media: false } as const

/** Called with every Web API call and its outcome: "ok", or the error code. */
type OnCall = (method: string, outcome: string, retryAfterMs?: number) => void

/** The Web API as `Outbound`. The only module that writes to Slack. */
export function createOutbound(
  client: WebClient,
  onCall: OnCall = () => {},
  secrets: SecretFilter = NO_SECRETS,
): Outbound {
  const dispatcher = new EnvHttpProxyAgent()
  async function call<T>(method: string, run: () => Promise<T>): Promise<T> {
    try {
      const result = await run()
      onCall(method, "ok")
      return result
    } catch (cause) {
      const error = toSlackError(method, cause)
      onCall(method, error.code, error.retryAfterMs)
      throw error
    }
  }

  function post(to: Conversation, message: Message, key?: PostKey) {
    return call("chat.postMessage", async () => {
      const { ts = "", channel = to.channel } = await client.chat.postMessage({
        channel: to.channel,
        ...(to.thread ? { thread_ts: to.thread } : {}),
        ...message,
        ...NO_UNFURL,
        ...(key ? { metadata: { event_type: METADATA_EVENT, event_payload: { ...key } } } : {}),
      })
      return { ts, channel }
    })
  }

  function answer(responseUrl: string, run: () => Promise<void>) {
    return call("response_url", () => {
      onlyToSlack("response_url", responseUrl, client)
      return run()
    })
  }

  return {
    post,

    async update({ channel, ts }, message) {
      await call("chat.update", () =>
        client.chat.update({ channel, ts, parse: "none", ...message }),
      )
    },

    async postEphemeral({ channel, thread, user }, message) {
      await call("chat.postEphemeral", () =>
        client.chat.postEphemeral({
          channel,
          user,
          ...(thread ? { thread_ts: thread } : {}),
          ...message,
        }),
      )
    },

    async respond(responseUrl, message, options = {}) {
      await answer(responseUrl, () =>
        respondTo(responseUrl, message, { ...options, secrets, dispatcher }),
      )
    },

    async dismiss(responseUrl) {
      await answer(responseUrl, () => dismissAt(responseUrl, { secrets, dispatcher }))
    },

    direct(user, message) {
      // Posting to a user id opens the direct conversation; no further scope is needed. Edits and
      // uploads want the conversation's own id, which the answer tells.
      return post({ channel: user }, message)
    },

    async openModal(triggerId, view) {
      await call("views.open", () => client.views.open({ trigger_id: triggerId, view }))
    },

    async publishHome(user, view) {
      await call("views.publish", () => client.views.publish({ user_id: user, view }))
    },

    async setSession({ channel, thread }, status, { title, initiator }) {
      const { warning, response_metadata } = await call("agents.sessions.setStatus", () =>
        client.agents.sessions.setStatus({
          channel_id: channel,
          ...(thread ? { thread_ts: thread } : {}),
          status,
          ...(title ? { title } : {}),
          ...(initiator ? { initiator_user_id: initiator } : {}),
        }),
      )
      const warnings = [warning, ...(response_metadata?.warnings ?? [])]
      return { hasStop: !warnings.includes(NO_STOP_WARNING) }
    },

    async suggestPrompts(channel, prompts) {
      // "The thread_ts parameter should only be used in the legacy assistant messaging experience."
      await call("assistant.threads.setSuggestedPrompts", () =>
        client.assistant.threads.setSuggestedPrompts({
          channel_id: channel,
          prompts: prompts.map((prompt) => ({ ...prompt })),
        }),
      )
    },

    async upload(to, file) {
      await call("files.upload", () => uploadFile(client, to, file))
    },

    find(to, key) {
      return call("find", () => findMessage(client, to, key))
    },
  }
}
