import { z } from "zod"
import { parseJson } from "../lib/json.ts"
import { RESPONSE_URL_MS } from "../slack/response-url.ts"
import { parseRecord } from "../store/record-fields.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import { newId } from "./new-job.ts"
import { promptShape } from "./request-text.ts"

const draftShape = z.object({
  v: z.literal(3),
  project: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: z.string().optional(),
  /** Timestamp of the message with the request, if it came as one. */
  ts: z.string().optional(),
  kind: z.enum(["request", "review"]).optional(),
  /** `response_url` for a private answer if the bot cannot post the card. */
  replyUrl: z.string().optional(),
  prompt: promptShape,
})

/** Request that waits until the requester fills in a form or answers a question about it. */
export type Draft = Omit<z.infer<typeof draftShape>, "v">

/** Time in ms within which a person can answer a question with `yes` or `no`. */
const ASKED_MS = 60_000

/**
 * Creates the store of unconfirmed requests. They can be confirmed as long as Slack accepts their
 * `response_url`.
 */
export function createDrafts(redis: RedisClient) {
  const draftKey = (user: string, id: string) => key("own", user, "draft", id)
  // All direct messages are one place: a form from no channel asks in one without knowing its id.
  const askedKey = (user: string, channel: string) =>
    key("own", user, "asked", channel.startsWith("D") ? "" : channel)
  return {
    /**
     * Stores a draft, unless it is known: Slack repeated a delivery, and the person may have
     * answered. @param askedIn channel where `yes` or `no` answers a question about it for a minute
     */
    async save(draft: Draft, id = newId(), askedIn?: string): Promise<string> {
      const stored = draftShape.parse({ ...draft, v: 3 })
      const text = JSON.stringify(stored)
      const isNew = await redis.set(draftKey(draft.user, id), text, "PX", RESPONSE_URL_MS, "NX")
      if (isNew && askedIn !== undefined)
        await redis.set(askedKey(draft.user, askedIn), id, "PX", ASKED_MS)
      return id
    },

    async find(user: string, id: string): Promise<Draft | undefined> {
      const text = await redis.get(draftKey(user, id))
      if (text === null) return undefined
      const { v: _, ...draft } = parseRecord(draftShape, "draft", parseJson(text))
      return draft
    },

    async remove(user: string, id: string): Promise<void> {
      await redis.del(draftKey(user, id))
    },

    asked: async (user: string, channel: string) =>
      (await redis.getdel(askedKey(user, channel))) ?? undefined,

    /** Ends the question about a draft, so that a later `yes` does not send what was declined. */
    async declined(user: string, channel: string, id: string): Promise<void> {
      const at = askedKey(user, channel)
      if ((await redis.get(at)) === id) await redis.del(at)
    },
  }
}
