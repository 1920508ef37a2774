import type { Readable } from "node:stream"
import { SlackError } from "../errors/slack-error.ts"
import type { Home, Message, Modal } from "../messages/blocks.ts"
import type { SlackClient } from "./client.ts"
import { type Conversation, findMessage, METADATA_EVENT, type PostKey } from "./find.ts"
import { postToResponseUrl } from "./response-url.ts"
import { brokenAnswer, toSlackError } from "./verdict.ts"

/** Turns unfurling off: a pull request link must not pull a preview of a private repository into a channel. */
const NO_UNFURL = { unfurl_links: false, unfurl_media: false } as const

/** Receives every Web API call and its outcome: "ok", or the error code. */
type OnCall = (method: string, outcome: string) => void

export type Outbound = ReturnType<typeof createOutbound>

/**
 * The only module that writes to Slack. Every method throws only `SlackError`. None retries by itself:
 * whether a write may be repeated is the caller's knowledge.
 */
export function createOutbound(client: SlackClient, onCall: OnCall = () => {}) {
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

  async function write(method: string, run: () => Promise<unknown>): Promise<void> {
    await call(method, run)
  }

  /** @param key goes into the message's metadata, so that an unsure post can be looked up */
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
    return write("response_url", () => {
      client.checkUrl("response_url", responseUrl)
      return postToResponseUrl(client, responseUrl, content)
    })
  }

  return {
    post,

    /** Idempotent: an edit may be repeated freely. */
    update: ({ channel, ts }: { channel: string; ts: string }, message: Message) =>
      write("chat.update", () => client.chat.update({ channel, ts, parse: "none", ...message })),

    /** Seen by one person only; lost if that person is not in the channel. */
    postEphemeral: (to: Conversation & { user: string }, message: Message) =>
      write("chat.postEphemeral", () =>
        client.chat.postEphemeral({
          channel: to.channel,
          user: to.user,
          ...(to.thread ? { thread_ts: to.thread } : {}),
          ...message,
        }),
      ),

    /**
     * Answers through a response_url: works where the bot is not a member; 5 uses, 30 minutes.
     * @param options `replace`: puts it in place of the message that was clicked. Without `thread` the answer
     * stands in the channel, also to a click inside a thread.
     */
    respond: (
      responseUrl: string,
      message: Message,
      options: { replace?: boolean | undefined; thread?: string | undefined } = {},
    ) =>
      answer(responseUrl, {
        // Slack takes the type of what is replaced, and was seen to post a second message where one is named.
        ...(options.replace ? { replace_original: true } : { response_type: "ephemeral" }),
        ...(options.thread ? { thread_ts: options.thread } : {}),
        ...NO_UNFURL,
        ...message,
      }),

    /** Takes away the message that was clicked, by the click's response_url. */
    dismiss: (responseUrl: string) => answer(responseUrl, { delete_original: true }),

    /**
     * Posting to a user id opens the direct conversation; no further scope is needed. Edits and uploads want
     * the conversation's own id, which the answer tells.
     */
    direct: (user: string, message: Message) => post({ channel: user }, message),

    openModal: (triggerId: string, view: Modal) =>
      write("views.open", () => client.views.open({ trigger_id: triggerId, view })),

    publishHome: (user: string, view: Home) =>
      write("views.publish", () => client.views.publish({ user_id: user, view })),

    /**
     * Sets what Slack shows of a thread in its place for agents. Idempotent; the session is created where there is
     * none, and only then Slack reads title (at most 200 characters) and initiator.
     */
    setSession: (
      { channel, thread }: Required<Conversation>,
      status: "processing" | "active",
      { title, initiator }: { title?: string; initiator?: string },
    ) =>
      write("agents.sessions.setStatus", () =>
        client.agents.sessions.setStatus({
          channel_id: channel,
          ...(thread ? { thread_ts: thread } : {}),
          status,
          ...(title ? { title } : {}),
          ...(initiator ? { initiator_user_id: initiator } : {}),
        }),
      ),

    /** Streams a file of known length into Slack; memory stays bounded. Needs `files:write`. */
    upload: (
      { channel, thread }: Conversation,
      { name, ...file }: { name: string; bytes: number; content: Readable },
    ) =>
      write("files.upload", async () => {
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
      }),

    /** Looks for a message of ours by its key. `unreadable` when the bot may not read there. */
    find: (to: Conversation, key: PostKey) => call("find", () => findMessage(client, to, key)),
  }
}
