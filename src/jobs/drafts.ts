import { z } from "zod"
import { parseJson } from "../lib/json.ts"
import { RESPONSE_URL_MS } from "../slack/response-url.ts"
import { releaseKey } from "../store/claims.ts"
import { parseRecord } from "../store/record-fields.ts"
import { key } from "../store/redis-keys.ts"
import { type RedisClient, script } from "../store/script.ts"
import { type Draft, draftShape, newId } from "./new-request.ts"

/** Time in ms within which a person can answer a question with `yes` or `no`. */
const ASKED_MS = 60_000

/**
 * Lua. Stores a draft and the question about it in one step: whether the draft is new can't be told
 * from a repeated command, whose first reply was lost.
 */
const saveScript = script(
  z.number(),
  "draft asked",
  "id text keepMs askedMs",
  `
if redis.call('EXISTS', draft) == 1 then return 0 end
redis.call('SET', draft, text, 'PX', keepMs)
if tonumber(askedMs) > 0 then redis.call('SET', asked, id, 'PX', askedMs) end
return 1
`,
)

export type Drafts = ReturnType<typeof createDrafts>

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
      const text = JSON.stringify(draftShape.parse({ ...draft, v: 3 }))
      const asked = askedKey(draft.user, askedIn ?? "")
      const askedMs = askedIn === undefined ? 0 : ASKED_MS
      const args = { id, text, keepMs: RESPONSE_URL_MS, askedMs }
      await saveScript({ redis }, { draft: draftKey(draft.user, id), asked }, args)
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

    /** Returns the draft that the bot last asked about here, until the question is `answered`. */
    asked: async (user: string, channel: string) =>
      (await redis.get(askedKey(user, channel))) ?? undefined,

    /** Ends the question about a draft, so that a later `yes` does not send it. */
    answered: (user: string, channel: string, id: string) =>
      releaseKey(redis, askedKey(user, channel), id),
  }
}
