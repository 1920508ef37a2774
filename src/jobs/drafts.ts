import { z } from "zod"
import { defined } from "../runtime/defined.ts"
import { key } from "../store/keys.ts"
import { parseRecord } from "../store/record.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import { newId } from "./ids.ts"
import { promptShape } from "./prompt.ts"
import type { NewRequest } from "./submit.ts"

/** The time for which Slack honors a form's or a message's response_url, and a person remembers, ms. */
const DRAFT_MS = 30 * 60_000

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

const draftShape = z.object({
  v: z.literal(2),
  project: z.string(),
  team: z.string(),
  channel: z.string(),
  user: z.string(),
  thread: optional(z.string()),
  ts: optional(z.string()),
  kind: optional(z.enum(["request", "review"])),
  replyUrl: optional(z.string()),
  prompt: promptShape,
})

/** A request on its way: a form being filled in, or a question to be answered. */
export type Draft = Omit<z.infer<typeof draftShape>, "v">

/** `yes` and `no` answer a question for this long, ms. */
const ASKED_MS = 60_000

/** The place of a question: people answer below it, in its thread or beside it. */
interface Asking {
  channel: string
  user: string
}

/** Requests that their person still has to confirm; half an hour. */
export function createDrafts(redis: RedisClient) {
  const draftKey = (user: string, id: string) => key("own", user, "draft", id)
  const askedKey = ({ channel, user }: Asking) => key("own", user, "asked", channel)
  return {
    /** Keeps one and returns an opaque id. */
    async save(draft: Draft): Promise<string> {
      const id = newId()
      await redis.set(draftKey(draft.user, id), JSON.stringify({ v: 2, ...draft }), "PX", DRAFT_MS)
      return id
    },

    /** Returns undefined if it is another person's, or too old. */
    async find(user: string, id: string): Promise<Draft | undefined> {
      const text = await redis.get(draftKey(user, id))
      if (text === null) return undefined
      const { v: _, ...draft } = parseRecord(draftShape, "draft", parseJson(text))
      return draft
    },

    /** The question that `yes` or `no` answers in this place, for a minute. */
    async ask(place: Asking, id: string): Promise<void> {
      await redis.set(askedKey(place), id, "PX", ASKED_MS)
    },

    asked: async (place: Asking) => (await redis.getdel(askedKey(place))) ?? undefined,
  }
}

/** The draft of a request, to be asked about first. */
export function draftOf(request: NewRequest): Draft {
  const { project, team, channel, user, thread, ts, kind, replyUrl, prompt } = request
  const rest = defined({ thread, ts, kind, replyUrl })
  return { project, team, channel, user, prompt, ...rest }
}
