import { SlackError } from "../errors/slack-error.ts"
import type { Message } from "../ports/message.ts"
import type { Conversation, Outbound, PostKey } from "../ports/outbound.ts"
import type { SlackClient } from "./client.ts"
import { findMessage, METADATA_EVENT } from "./find.ts"
import { postToResponseUrl } from "./response-url.ts"
import { brokenAnswer, toSlackError } from "./verdict.ts"

/** Never unfurl: a pull request link must not pull a preview of a private repository into a channel. */
const NO_UNFURL = { unfurl_links: false, unfurl_media: false } as const

/** Called with every Web API call and its outcome: "ok", or the error code. */
type OnCall = (method: string, outcome: string) => void

/** The Web API as `Outbound`. The only module that writes to Slack. */
export function createOutbound(client: SlackClient, onCall: OnCall = () => {}): Outbound {
  async function call<T>(method: string, run: () => Promise<T>): Promise<T> {
    try {
      const result = await run()
      onCall(method, "ok")
      return result
    } catch (cause) {
      const error = toSlackError(method, cause)
      onCall(method, error.code)
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

  function answer(responseUrl: string, content: object) {
    return call("response_url", () => {
      client.checkUrl("response_url", responseUrl)
      return postToResponseUrl(client, responseUrl, content)
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

    respond(responseUrl, message, { replace = false, thread } = {}) {
      return answer(responseUrl, {
        // Slack takes the type of what is replaced, and was seen to post a second message where one is named.
        ...(replace ? { replace_original: true } : { response_type: "ephemeral" }),
        ...(thread ? { thread_ts: thread } : {}),
        ...NO_UNFURL,
        ...message,
      })
    },

    dismiss(responseUrl) {
      return answer(responseUrl, { delete_original: true })
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
      await call("agents.sessions.setStatus", () =>
        client.agents.sessions.setStatus({
          channel_id: channel,
          ...(thread ? { thread_ts: thread } : {}),
          status,
          ...(title ? { title } : {}),
          ...(initiator ? { initiator_user_id: initiator } : {}),
        }),
      )
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

    async upload({ channel, thread }, { name, ...file }) {
      await call("files.upload", async () => {
        const asked = { filename: name, length: file.bytes }
        const { upload_url, file_id } = await client.files.getUploadURLExternal(asked)
        if (!upload_url || !file_id) throw brokenAnswer("files.getUploadURLExternal")
        client.checkUrl("files.upload", upload_url)
        const status = await client.http.upload(upload_url, file)
        if (status < 200 || status >= 300)
          throw new SlackError({
            method: "files.upload",
            verdict: "unknown",
            code: `http_${status}`,
          })
        await client.files.completeUploadExternal({
          files: [{ id: file_id, title: name }],
          channel_id: channel,
          ...(thread ? { thread_ts: thread } : {}),
        })
      })
    },

    find(to, key) {
      return call("find", () => findMessage(client, to, key))
    },
  }
}
