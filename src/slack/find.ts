import { WebAPIPlatformError, type WebClient } from "@slack/web-api"
import { z } from "zod"
import type { Conversation, PostKey } from "../ports/outbound.ts"
import { UNREADABLE_CODES } from "./verdict.ts"

/** Name of the metadata that our messages carry; other apps can see it, so it holds ids only. */
export const METADATA_EVENT = "docs_agent_job"

const page = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        // Those with a Work Object have nothing but `entities`.
        metadata: z
          .object({
            event_type: z.string().optional(),
            event_payload: z.record(z.string(), z.unknown()).default({}),
          })
          .optional()
          .catch(undefined),
      }),
    )
    .default([]),
})

const MOST_PAGES = 5

/** Looks for one of our messages by its metadata, in a thread or in the channel's latest messages. */
export async function findMessage(
  client: WebClient,
  to: Conversation,
  key: PostKey,
): Promise<{ ts: string } | "absent" | "unreadable"> {
  const { channel, thread } = to
  const method = thread ? "conversations.replies" : "conversations.history"
  const options = { channel, ts: thread, limit: 200, include_all_metadata: true }
  let pages = 0
  try {
    for await (const answer of client.paginate(method, options)) {
      const match = page
        .parse(answer)
        .messages.find(
          ({ metadata }) =>
            metadata?.event_type === METADATA_EVENT &&
            metadata.event_payload.job === key.job &&
            metadata.event_payload.part === key.part,
        )
      if (match) return { ts: match.ts }
      pages += 1
      if (pages === MOST_PAGES) break
    }
    return "absent"
  } catch (error) {
    if (error instanceof WebAPIPlatformError && UNREADABLE_CODES.includes(error.data.error))
      return "unreadable"
    throw error
  }
}
