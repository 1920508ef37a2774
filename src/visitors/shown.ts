import { randomBytes } from "node:crypto"
import { z } from "zod"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import { type FallbackLevel, fallbackLevels, type PostKind } from "./fallback.ts"
import { gap } from "./gaps.ts"
import { question } from "./report.ts"

export type Shown = ReturnType<typeof createShown>
export type FallbackMemory = ReturnType<typeof createFallbackMemory>

/** The person who sees something, or the channel in which everybody does. */
type Viewer = { user: string } | { channel: string }

const HOUR_MS = 3_600_000
/** The controls of a private answer work this long; after that asking again is as quick. */
const OWN_MS = 6 * HOUR_MS
/** The button of a post in a channel opens its report this long. */
const POSTED_MS = 30 * 24 * HOUR_MS
/** New blocks reach a workspace some day: it is offered the rich message again after this. */
const LEVEL_MS = 24 * HOUR_MS

const reportView = z.object({ question, view: z.enum(["report", "changes"]) })
export type ReportView = z.infer<typeof reportView>

const gapsView = z.object({
  /** Key of the project. */
  project: z.string(),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }),
  gaps: z.array(gap),
})
type GapsView = z.infer<typeof gapsView>

/** Keeps what a message shows for its viewer alone, so that its controls carry an opaque id only. */
export function createShown(redis: RedisClient) {
  const keyOf = (viewer: Viewer, id: string) =>
    "user" in viewer ? key("own", viewer.user, "shown", id) : key("v", "shown", viewer.channel, id)

  async function save(viewer: Viewer, view: ReportView | GapsView): Promise<string> {
    const id = randomBytes(12).toString("base64url")
    const keepMs = "user" in viewer ? OWN_MS : POSTED_MS
    await redis.set(keyOf(viewer, id), JSON.stringify(view), "PX", keepMs)
    return id
  }

  /** @returns undefined when it is gone, or somebody else's */
  async function load<S extends z.ZodType>(shape: S, viewer: Viewer, id: string) {
    const text = await redis.get(keyOf(viewer, id))
    return shape.safeParse(parseJson(text ?? "")).data
  }

  return {
    saveReport: (viewer: Viewer, view: ReportView) => save(viewer, view),
    loadReport: (id: string, viewer: Viewer) => load(reportView, viewer, id),
    saveGaps: (user: string, view: GapsView) => save({ user }, view),

    async loadGap(id: string, n: number, user: string) {
      const view = await load(gapsView, { user }, id)
      const found = view?.gaps[n]
      return view && found && { ...view, gap: found }
    },

    /** True the first time: a second click does not share again. */
    async claimShare(id: string, user: string): Promise<boolean> {
      return (await redis.set(keyOf({ user }, `${id}:shared`), "1", "PX", OWN_MS, "NX")) === "OK"
    },

    async releaseShare(id: string, user: string): Promise<void> {
      await redis.del(keyOf({ user }, `${id}:shared`))
    },
  }
}

/** How rich a message of each kind each workspace took last, for a day. */
export function createFallbackMemory(redis: RedisClient) {
  const keyOf = ({ team, kind }: { team: string; kind: PostKind }) => key("v", "level", team, kind)
  return {
    async of(posts: { team: string; kind: PostKind }): Promise<FallbackLevel | undefined> {
      return z.enum(fallbackLevels).safeParse(await redis.get(keyOf(posts))).data
    },

    async remember(posts: { team: string; kind: PostKind }, level: FallbackLevel): Promise<void> {
      await redis.set(keyOf(posts), level, "PX", LEVEL_MS)
    },
  }
}
