import { randomBytes } from "node:crypto"
import { z } from "zod"
import { type FallbackLevel, fallbackLevels, type PostKind } from "../../visitors/fallback.ts"
import { type Gap, shownGaps } from "../../visitors/gaps.ts"
import { question } from "../../visitors/report.ts"
import { keepOwn } from "../own.ts"
import { called, type ReadProjectNames, SAME_NAMES, stored } from "../projects/names.ts"
import { recordCodec } from "../record.ts"
import type { RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { calledIn, storedIn } from "./question-names.ts"

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

const viewer = z.union([z.object({ user: z.string() }), z.object({ channel: z.string() })])
const reportView = z.object({ question, view: z.enum(["report", "changes"]) })
export type ReportView = z.infer<typeof reportView>
const reportCodec = recordCodec(1, reportView.extend({ to: viewer }))

const gapsOf = z.object({
  project: z.string(),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }),
  gaps: shownGaps,
})
const gapsCodec = recordCodec(1, gapsOf.extend({ user: z.string() }))

/** What a message shows, so that its controls need to carry an opaque id only. */
export function createShown(redis: RedisClient, names: ReadProjectNames = SAME_NAMES) {
  async function save(key: string, to: Viewer, value: string): Promise<void> {
    const on = { redis, now: undefined }
    if ("user" in to) await keepOwn(on, to.user, key, { value, keepMs: OWN_MS })
    else await redis.set(key, value, "PX", POSTED_MS)
  }

  return {
    async saveReport(to: Viewer, view: ReportView): Promise<string> {
      const id = newId()
      await save(keys.shown(id), to, reportCodec.write({ ...storedIn(await names(), view), to }))
      return id
    },

    /** @returns undefined when it is gone, or somebody else's */
    async loadReport(id: string, viewer: Viewer): Promise<ReportView | undefined> {
      const found = reportCodec.read(await redis.get(keys.shown(id)))
      if (!found || !isSame(found.to, viewer)) return undefined
      return calledIn(await names(), found)
    },

    async saveGaps(user: string, of: z.infer<typeof gapsOf>): Promise<string> {
      const id = newId()
      const value = gapsCodec.write({ ...stored(await names(), of), user })
      await save(keys.shownGaps(id), { user }, value)
      return id
    },

    /** @returns undefined when it is gone, or somebody else's */
    async loadGap(id: string, n: number, user: string) {
      const found = gapsCodec.read(await redis.get(keys.shownGaps(id)))
      const gap: Gap | undefined = found?.user === user ? found.gaps[n] : undefined
      return found && gap && { ...called(await names(), found), gap }
    },

    /** True the first time: a second click does not share again. */
    async claimShare(id: string): Promise<boolean> {
      return (await redis.set(keys.shared(id), "1", "PX", OWN_MS, "NX")) === "OK"
    },

    async releaseShare(id: string): Promise<void> {
      await redis.del(keys.shared(id))
    },
  }
}

function newId(): string {
  return randomBytes(12).toString("base64url")
}

function isSame(one: Viewer, other: Viewer): boolean {
  if ("user" in one) return "user" in other && one.user === other.user
  return "channel" in other && one.channel === other.channel
}

const levelCodec = recordCodec<FallbackLevel>(1, z.enum(fallbackLevels))

/** How rich a message of each kind each workspace took last, for a day. */
export function createFallbackMemory(redis: RedisClient) {
  return {
    async of({ team, kind }: { team: string; kind: PostKind }): Promise<FallbackLevel | undefined> {
      return levelCodec.read(await redis.get(keys.level(team, kind)))
    },

    async remember({ team, kind }: { team: string; kind: PostKind }, level: FallbackLevel) {
      await redis.set(keys.level(team, kind), levelCodec.write(level), "PX", LEVEL_MS)
    },
  }
}
