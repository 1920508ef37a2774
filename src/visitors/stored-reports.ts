import { randomBytes } from "node:crypto"
import { z } from "zod"
import { parseAs } from "../lib/json.ts"
import { HOUR_MS } from "../lib/time.ts"
import { claimAct } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import { gap } from "./gap-kinds.ts"
import { selection } from "./range.ts"

export type Shown = ReturnType<typeof createShown>
type Viewer = { user: string } | { channel: string }

/** Time in ms for which a private answer's controls work; later, asking again is as quick. */
const OWN_MS = 6 * HOUR_MS
/** Time in ms for which the button of an alert opens its report. */
const POSTED_MS = 30 * 24 * HOUR_MS

export const reportView = selection

/** Command that a person is asked about. */
export const meantView = z.object({ project: z.string(), isNamed: z.boolean(), words: z.string() })
export type Meant = z.infer<typeof meantView>

export const gapsView = z.object({
  ...selection.pick({ project: true, range: true }).shape,
  gaps: z.array(gap),
})

/** Period of a report about requests. */
export const outcomesView = selection.shape.range

/** Part of what a message shows that its controls need. */
export type View = z.infer<
  typeof reportView | typeof meantView | typeof gapsView | typeof outcomesView
>

/** Stores what a message shows, so that the message's controls carry only an opaque id. */
export function createShown(redis: RedisClient) {
  const keyOf = (viewer: Viewer, id: string) =>
    "user" in viewer ? key("own", viewer.user, "shown", id) : key("v", "shown", viewer.channel, id)

  return {
    async save(viewer: Viewer, view: View): Promise<string> {
      const id = randomBytes(12).toString("base64url")
      const keepMs = "user" in viewer ? OWN_MS : POSTED_MS
      await redis.set(keyOf(viewer, id), JSON.stringify(view), "PX", keepMs)
      return id
    },

    /** Loads a view; undefined if it expired or belongs to another viewer. */
    async load<T>(shape: z.ZodType<T>, viewer: Viewer, id: string): Promise<T | undefined> {
      return parseAs(shape, await redis.get(keyOf(viewer, id)))
    },

    /** Claims to share, or returns why not: a second click does not share again. */
    claimShare: (id: string, user: string) =>
      claimAct({ redis }, keyOf({ user }, `${id}:shared`), OWN_MS),
  }
}
