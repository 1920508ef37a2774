import { createHash } from "node:crypto"
import { z } from "zod"
import { postToResponseUrl, type SlackClient } from "./client.ts"
import type { Home, Message, Modal } from "./message-types.ts"
import { brokenAnswer, parseAnswer, SlackError } from "./slack-error.ts"

export interface Conversation {
  channel: string
  thread?: string | undefined
}

/** Message of the bot, which it can edit. */
export interface Posted {
  channel: string
  ts: string
}

/** Conversation to search: from the message with `ts` if it is known, else after `since`. */
export type Searched = Conversation & { since?: string | undefined; ts?: string | undefined }

export interface PostKey {
  job: string
  part: string
}

/** Event type of the bot's messages. Their metadata has only ids, because other apps can see it. */
const METADATA_EVENT = "docs_agent_job"

const MAX_PAGES = 5

// The metadata of messages with a Work Object contains only `entities`.
const ours = z.object({ event_type: z.literal(METADATA_EVENT), event_payload: z.looseObject({}) })
const foundMessage = z.object({
  ts: z.string(),
  metadata: ours.optional().catch(undefined),
  blocks: z.unknown().optional(),
})
type FoundMessage = z.output<typeof foundMessage>
const page = z.object({ messages: z.array(foundMessage).default([]) })

/** Looks for one of the bot's messages by its metadata, in at most 1,000 after `since` (a `ts`). */
export async function findMessage(
  client: SlackClient,
  { channel, thread, since, ts }: Searched,
  key: PostKey,
): Promise<{ ts: string; blocks?: unknown } | "absent"> {
  const method = thread ? "conversations.replies" : "conversations.history"
  const range = ts ? { oldest: ts, latest: ts, inclusive: true } : { oldest: since }
  const options = { channel, ts: thread, ...range, limit: 200, include_all_metadata: true }
  const hasKey = ({ metadata }: FoundMessage) => {
    const { job, part } = metadata?.event_payload ?? {}
    return job === key.job && part === key.part
  }
  const isSearched = ts ? (message: FoundMessage) => message.ts === ts : hasKey
  let pages = 0
  for await (const answer of client.paginate(method, options)) {
    const match = parseAnswer(method, page, answer).messages.find(isSearched)
    if (match) return { ts: match.ts, blocks: match.blocks }
    pages += 1
    if (pages === MAX_PAGES) break
  }
  return "absent"
}

/** Time limit of an upload in ms, enough for a large export on a slow connection. */
export const UPLOAD_MS = 10 * 60_000

/** Options that turn off link previews: they could show a private repository's content. */
const NO_UNFURL = { unfurl_links: false, unfurl_media: false } as const

function addressOf({ channel, thread }: Conversation) {
  return { channel, thread_ts: thread }
}

export type Outbound = ReturnType<typeof createOutbound>

/**
 * Creates the only writer to Slack. Every method throws only `SlackError` and never retries,
 * because only the caller knows whether it may repeat a write.
 */
export function createOutbound(client: SlackClient) {
  return {
    /** Posts a message. @param key for its metadata, to look up an unconfirmed post */
    post: (to: Conversation, message: Message, key?: PostKey) =>
      postMessage(client, to, message, key),

    async update({ channel, ts }: Posted, message: Message) {
      await client.chat.update({ channel, ts, parse: "none", ...message })
    },

    async postEphemeral(to: Conversation & { user: string }, message: Message) {
      await client.chat.postEphemeral({ ...addressOf(to), user: to.user, ...message })
    },

    /** Answers privately, even where the bot is not a member. */
    respond: (responseUrl: string, message: Message, options: ResponseOptions = {}) =>
      postToResponseUrl(client, responseUrl, responseOf(message, options)),

    dismiss: (responseUrl: string) =>
      postToResponseUrl(client, responseUrl, { delete_original: true }),

    /** Posts to a user id, which opens the conversation, and returns its channel id for edits. */
    direct: (user: string, message: Message) => postMessage(client, { channel: user }, message),

    async openModal(triggerId: string, view: Modal) {
      await client.views.open({ trigger_id: triggerId, view })
    },

    async publishHome(user: string, view: Home) {
      await client.views.publish({ user_id: user, view })
    },

    /** Sets a session's status, its title and initiator if it is new. Resolves to its title. */
    async setSession(
      { channel, thread }: Required<Conversation>,
      status: "processing" | "active",
      { title, initiator }: { title?: string; initiator?: string },
    ) {
      const session = { channel_id: channel, thread_ts: thread, initiator_user_id: initiator }
      return (await client.agents.sessions.setStatus({ ...session, status, title })).title
    },

    async renameSession({ channel, thread }: { channel: string; thread: string }, title: string) {
      await client.agents.sessions.rename({ channel_id: channel, thread_ts: thread, title })
    },

    /** Shares a file. Needs `files:write`. */
    async upload({ channel, thread }: Conversation, name: string, body: Buffer) {
      const id = await sendFile(client, name, body)
      const files: [{ id: string; title: string }] = [{ id, title: name }]
      const to = { channel_id: channel, thread_ts: thread }
      await client.files.completeUploadExternal({ files, ...to })
    },

    find: (to: Searched, key: PostKey) => findMessage(client, to, key),
  }
}

export interface ResponseOptions {
  /** True to replace the clicked message. */
  replace?: boolean | undefined
  /** Thread of the answer; without it Slack shows one in the channel, even to a click in a thread. */
  thread?: string | undefined
}

function responseOf(message: Message, { replace, thread }: ResponseOptions) {
  return {
    // With an explicit type, Slack was seen to post a second message instead of replacing it.
    ...(replace ? { replace_original: true } : { response_type: "ephemeral" }),
    thread_ts: thread,
    ...NO_UNFURL,
    ...message,
  }
}

async function postMessage(
  client: SlackClient,
  to: Conversation,
  message: Message,
  key?: PostKey,
): Promise<Posted> {
  const { ts, channel = to.channel } = await client.chat.postMessage({
    ...addressOf(to),
    ...message,
    ...NO_UNFURL,
    ...(key ? { metadata: { event_type: METADATA_EVENT, event_payload: { ...key } } } : {}),
  })
  if (!ts) throw brokenAnswer("chat.postMessage")
  return { ts, channel }
}

/** Sends a file to Slack, which nobody sees yet. Resolves to its id. */
async function sendFile(client: SlackClient, filename: string, body: Buffer): Promise<string> {
  const asked = { filename, length: body.length }
  const { upload_url, file_id } = await client.files.getUploadURLExternal(asked)
  if (!upload_url || !file_id) throw brokenAnswer("files.getUploadURLExternal")
  await client.call("files.upload", async () => {
    client.checkUrl("files.upload", upload_url)
    const headers = { "content-type": "application/octet-stream" }
    const sending = { method: "POST", headers, body, withinMs: UPLOAD_MS } as const
    const { status } = await client.http.send(upload_url, sending)
    const code = `http_${status}`
    if (status < 200 || status >= 300)
      throw new SlackError({ method: "files.upload", verdict: "unknown", code })
  })
  return file_id
}

/** Returns a short hash of a message, by which an edit that would change nothing is left out. */
export function hashOfMessage(message: Message): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("base64url").slice(0, 22)
}
