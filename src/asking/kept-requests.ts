import { z } from "zod"
import { newId } from "../jobs/job.ts"
import { DRAFT_VERSION, type Draft, draftShape } from "../jobs/request-record.ts"
import { parseAs, parseJson } from "../lib/json.ts"
import { RESPONSE_URL_MS } from "../lib/time.ts"
import type { Posted } from "../slack/write-to-slack.ts"
import { releaseKey } from "../store/claims.ts"
import { parseRecord } from "../store/record-fields.ts"
import { key } from "../store/redis-keys.ts"
import { type Store, script } from "../store/script.ts"

/** Time in ms within which a person can answer a question with `yes` or `no`. */
const ASKED_MS = 60_000
/** Maximum drafts of a person: each may be as long as a prompt. */
const MAX_DRAFTS = 50

/**
 * Lua. Stores a draft and the question about it in one step: whether the draft is new can't be told
 * from a repeated command, whose first reply was lost. Deletes the person's oldest if there are more
 * than `most`.
 */
const saveScript = script(
  z.number(),
  "draft drafts asked",
  "id text keepMs askedMs most",
  `
if redis.call('EXISTS', draft) == 1 then return 0 end
redis.call('SET', draft, text, 'PX', keepMs)
redis.call('LPUSH', drafts, draft)
redis.call('PEXPIRE', drafts, keepMs)
for _, old in ipairs(redis.call('LRANGE', drafts, most, -1)) do redis.call('DEL', old) end
redis.call('LTRIM', drafts, 0, most - 1)
if tonumber(askedMs) > 0 then redis.call('SET', asked, id, 'PX', askedMs) end
return 1
`,
)

function draftKey(user: string, id: string): string {
  return key("own", user, "draft", id)
}

/** All direct messages are one place: a form from no channel asks in one without knowing its id. */
function askedKey(user: string, channel: string): string {
  return key("own", user, "asked", channel.startsWith("D") ? "" : channel)
}

/**
 * Stores an unconfirmed request, unless it is known: Slack repeated a delivery, and the person may
 * have answered. It can be confirmed as long as Slack accepts its `response_url`.
 * @param askedIn channel where `yes` or `no` answers a question about it for a minute
 */
export async function saveDraft(
  store: Store,
  draft: Draft,
  id = newId(),
  askedIn?: string,
): Promise<string> {
  const text = JSON.stringify(draftShape.parse({ ...draft, v: DRAFT_VERSION }))
  const asked = askedKey(draft.user, askedIn ?? "")
  const askedMs = askedIn === undefined ? 0 : ASKED_MS
  const args = { id, text, keepMs: RESPONSE_URL_MS, askedMs, most: MAX_DRAFTS }
  const keys = { draft: draftKey(draft.user, id), drafts: key("own", draft.user, "draft"), asked }
  await saveScript(store, keys, args)
  return id
}

export async function findDraft(
  { redis }: Store,
  user: string,
  id: string,
): Promise<Draft | undefined> {
  const text = await redis.get(draftKey(user, id))
  if (text === null) return undefined
  const { v: _, ...draft } = parseRecord(draftShape, "draft", parseJson(text))
  return draft
}

export async function removeDraft({ redis }: Store, user: string, id: string): Promise<void> {
  await redis.del(draftKey(user, id))
}

/** Returns the draft that the bot last asked about here, until its question is ended. */
export async function askedDraft({ redis }: Store, user: string, channel: string) {
  return (await redis.get(askedKey(user, channel))) ?? undefined
}

/** Remembers the message that asks about a draft, where the bot can edit it. */
export async function noteQuestion({ redis }: Store, user: string, id: string, at: Posted) {
  const question = questionKey(user, id)
  await redis.set(question, JSON.stringify(at), "PX", RESPONSE_URL_MS)
}

/** Returns the message that asks about a draft, if the bot can edit it. */
export async function questionAbout({ redis }: Store, user: string, id: string) {
  return parseAs(posted, await redis.get(questionKey(user, id)))
}

const posted = z.object({ channel: z.string(), ts: z.string() })

function questionKey(user: string, id: string): string {
  return key("own", user, "asked", id, "at")
}

/** Ends the question about a draft, so that a later `yes` does not send it. */
export async function endQuestion({ redis }: Store, user: string, channel: string, id: string) {
  await releaseKey(redis, askedKey(user, channel), id)
}
