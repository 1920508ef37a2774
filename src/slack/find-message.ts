import { z } from "zod"
import type { SlackClient } from "./client.ts"
import { parseAnswer } from "./slack-error.ts"

export interface Conversation {
  channel: string
  thread?: string | undefined
}

export type Searched = Conversation & { since?: string | undefined }

export interface PostKey {
  job: string
  part: string
}

/** Event type of the bot's messages. Their metadata has only ids, because other apps can see it. */
export const METADATA_EVENT = "docs_agent_job"

const MAX_PAGES = 5

// The metadata of messages with a Work Object contains only `entities`.
const ours = z.object({ event_type: z.literal(METADATA_EVENT), event_payload: z.looseObject({}) })
const page = z.object({
  messages: z
    .array(z.object({ ts: z.string(), metadata: ours.optional().catch(undefined) }))
    .default([]),
})

/** Looks for one of the bot's messages by its metadata, in at most 1,000 after `since` (a `ts`). */
export async function findMessage(
  client: SlackClient,
  { channel, thread, since }: Searched,
  key: PostKey,
): Promise<{ ts: string } | "absent"> {
  const method = thread ? "conversations.replies" : "conversations.history"
  const options = { channel, ts: thread, oldest: since, limit: 200, include_all_metadata: true }
  let pages = 0
  for await (const answer of client.paginate(method, options)) {
    const match = parseAnswer(method, page, answer).messages.find(({ metadata }) => {
      const { job, part } = metadata?.event_payload ?? {}
      return job === key.job && part === key.part
    })
    if (match) return { ts: match.ts }
    pages += 1
    if (pages === MAX_PAGES) break
  }
  return "absent"
}
