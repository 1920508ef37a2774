import { z } from "zod"
import { defined } from "../../runtime/defined.ts"
import { key } from "../../store/keys.ts"
import { parseRecord } from "../../store/record.ts"
import type { RedisClient } from "../../store/script.ts"
import { parseJson } from "../../text/json.ts"
import { newId } from "../ids.ts"
import type { NewRequest } from "../submit.ts"
import { promptShape } from "./prompt.ts"

/** Slack accepts a form's or a message's response_url for this long. */
const DRAFT_MS = 30 * 60_000

const optional = <S extends z.ZodType>(shape: S) => z.exactOptional(shape)

const draftShape = z.object({
  v: z.literal(3),
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

/** A request that is not submitted yet: a person is filling in its form or has to answer a question about it. */
export type Draft = Omit<z.infer<typeof draftShape>, "v">

/** A person can answer a question with `yes` or `no` for this long. */
const ASKED_MS = 60_000

/** Place of a question that the bot asked; people answer in its thread or directly below it. */
interface Asking {
  channel: string
  user: string
}

/** Keeps requests for half an hour until their person confirms them. */
export function createDrafts(redis: RedisClient) {
  const draftKey = (user: string, id: string) => key("own", user, "draft", id)
  const askedKey = ({ channel, user }: Asking) => key("own", user, "asked", channel)
  return {
    async save(draft: Draft): Promise<string> {
      const id = newId()
      await redis.set(draftKey(draft.user, id), JSON.stringify({ v: 3, ...draft }), "PX", DRAFT_MS)
      return id
    },

    async find(user: string, id: string): Promise<Draft | undefined> {
      const text = await redis.get(draftKey(user, id))
      if (text === null) return undefined
      const { v: _, ...draft } = parseRecord(draftShape, "draft", parseJson(text))
      return draft
    },

    /** Remembers for a minute which question a `yes` or `no` here answers. */
    async ask(place: Asking, id: string): Promise<void> {
      await redis.set(askedKey(place), id, "PX", ASKED_MS)
    },

    asked: async (place: Asking) => (await redis.getdel(askedKey(place))) ?? undefined,
  }
}

export function draftOf(request: NewRequest): Draft {
  return draftShape.omit({ v: true }).parse(defined(request))
}
