import { randomBytes } from "node:crypto"
import { z } from "zod"
import { parseAs } from "../lib/json.ts"
import { HOUR_MS } from "../lib/time.ts"
import { claimAct } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import type { Store } from "../store/script.ts"
import { gap } from "./gap-kinds.ts"
import { type Range, rangeShape, type Selection } from "./range.ts"

type Viewer = { user: string } | { channel: string }

/** Time in ms for which a private answer's controls work; later, asking again is as quick. */
const OWN_MS = 6 * HOUR_MS
/** Time in ms for which the button of an alert opens its report. */
const POSTED_MS = 30 * 24 * HOUR_MS

/** Command that a person is asked about. */
export const meantView = z.object({ project: z.string(), isNamed: z.boolean(), words: z.string() })
export type Meant = z.infer<typeof meantView>

export const gapsView = z.object({ project: z.string(), range: rangeShape, gaps: z.array(gap) })

/** Part of what a message shows that its controls need; of a report about requests, its range. */
export type View = Selection | Meant | z.infer<typeof gapsView> | Range

/** Stores what a message shows. Returns the opaque id that is all that the controls carry. */
export async function saveShown({ redis }: Store, viewer: Viewer, view: View): Promise<string> {
  const id = randomBytes(12).toString("base64url")
  const keepMs = "user" in viewer ? OWN_MS : POSTED_MS
  await redis.set(keyOf(viewer, id), JSON.stringify(view), "PX", keepMs)
  return id
}

/** Loads a view; undefined if it expired or belongs to another viewer. */
export async function loadShown<T>(
  { redis }: Store,
  shape: z.ZodType<T>,
  viewer: Viewer,
  id: string,
): Promise<T | undefined> {
  return parseAs(shape, await redis.get(keyOf(viewer, id)))
}

/** Claims to share, or returns why not: a second click does not share again. */
export function claimShare(store: Store, user: string, id: string) {
  return claimAct(store, keyOf({ user }, `${id}:shared`), OWN_MS)
}

function keyOf(viewer: Viewer, id: string): string {
  return "user" in viewer
    ? key("own", viewer.user, "shown", id)
    : key("v", "shown", viewer.channel, id)
}
