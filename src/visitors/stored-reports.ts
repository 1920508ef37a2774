import { randomBytes } from "node:crypto"
import { z } from "zod"
import { parseJson } from "../lib/json.ts"
import { HOUR_MS } from "../lib/time.ts"
import { takeTurnToAct } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import { gap } from "./gap-kinds.ts"
import { type Selection, selection } from "./range.ts"

export type Shown = ReturnType<typeof createShown>
type Viewer = { user: string } | { channel: string }

/** Time in ms for which a private answer's controls work; later, asking again is as quick. */
const OWN_MS = 6 * HOUR_MS
/** Time in ms for which the button of an alert opens its report. */
const POSTED_MS = 30 * 24 * HOUR_MS

/** Command that a person is asked about. */
const meantView = z.object({ project: z.string(), isNamed: z.boolean(), words: z.string() })
export type Meant = z.infer<typeof meantView>

const gapsView = z.object({
  ...selection.pick({ project: true, range: true }).shape,
  gaps: z.array(gap),
})

const outcomesView = selection.shape.range

/** Stores what a message shows, so that the message's controls carry only an opaque id. */
export function createShown(redis: RedisClient) {
  const keyOf = (viewer: Viewer, id: string) =>
    "user" in viewer ? key("own", viewer.user, "shown", id) : key("v", "shown", viewer.channel, id)
  const shareKey = (id: string, user: string) => keyOf({ user }, `${id}:shared`)

  /** Loads an entry; undefined if it expired or belongs to another viewer. */
  const load = async <S extends z.ZodType>(shape: S, viewer: Viewer, id: string) =>
    shape.safeParse(parseJson((await redis.get(keyOf(viewer, id))) ?? "")).data

  return {
    async save(
      viewer: Viewer,
      view: Selection | Meant | z.infer<typeof gapsView | typeof outcomesView>,
    ): Promise<string> {
      const id = randomBytes(12).toString("base64url")
      const keepMs = "user" in viewer ? OWN_MS : POSTED_MS
      await redis.set(keyOf(viewer, id), JSON.stringify(view), "PX", keepMs)
      return id
    },

    loadReport: (id: string, viewer: Viewer) => load(selection, viewer, id),

    loadMeant: (id: string, user: string) => load(meantView, { user }, id),

    /** Loads the period of a report about requests. */
    loadOutcomes: (id: string, user: string) => load(outcomesView, { user }, id),

    loadGaps: (id: string, viewer: Viewer) => load(gapsView, viewer, id),

    /** Returns the turn to share, or why there is none: a second click does not share again. */
    turnToShare: (id: string, user: string) => takeTurnToAct({ redis }, shareKey(id, user), OWN_MS),
  }
}
