import { z } from "zod"
import { docsFaults } from "../../errors/docs-error.ts"
import type { ExportSize } from "../../visitors/export-ports.ts"
import type { GapFacts } from "../../visitors/gaps/report.ts"
import type { Failure, SharedReadings } from "../../visitors/reading-ports.ts"
import type { PageList, Reading } from "../../visitors/report.ts"
import { walkEnds } from "../../visitors/walk.ts"
import { type RecordCodec, recordCodec } from "../record.ts"
import type { Now, RedisClient } from "../script.ts"
import { visitorsKeys as keys } from "../visitors-keys.ts"
import { gapFacts } from "./gap-records.ts"
import { releaseLock, renewLock, takeLock } from "./shared-readings.lua.ts"

/** A fetch that is not renewed for this long belongs to a process that died, ms. */
const LOCK_MS = 40_000
/** Those who waited for a fetch that failed, and those who ask right after, hear of it; ms. */
const FAILURE_MS = 3_000

const failureSchema = z.object({
  fault: z.enum(docsFaults),
  retryAfterMs: z.number().exactOptional(),
})
const failureCodec = recordCodec<Failure>(1, failureSchema)

const count = z.number().nonnegative()
const figures = z.object({ human: count, ai: count, total: count })
const pageList = z.object({
  rows: z.array(z.object({ path: z.string(), ...figures.shape })),
  end: z.enum(walkEnds),
  repeats: count,
})
const size = z.object({ low: count, high: count })

const readingOf = <T extends z.ZodType>(value: T) =>
  recordCodec(1, z.object({ value, at: z.number() }))

interface VisitorReadings {
  figures: SharedReadings<z.output<typeof figures>>
  pages: SharedReadings<PageList>
  size: SharedReadings<ExportSize>
  gaps: SharedReadings<GapFacts>
}

/** What was read from the service, shared by every process. */
export function createSharedReadings(redis: RedisClient, now?: Now): VisitorReadings {
  return {
    figures: shared(redis, "figures", readingOf(figures), now),
    pages: shared(redis, "pages", readingOf(pageList), now),
    size: shared(redis, "size", readingOf(size), now),
    gaps: shared(redis, "gaps", readingOf(gapFacts), now),
  }
}

function shared<T>(
  redis: RedisClient,
  kind: string,
  codec: RecordCodec<Reading<T>>,
  now: Now,
): SharedReadings<T> {
  const on = { redis, now }
  const lockOf = (key: string) => ({ lock: keys.lock(kind, key) })
  return {
    async lock(key, token) {
      const own = { reading: keys.reading(kind, key), failure: keys.failure(kind, key) }
      const args = { token, leaseMs: LOCK_MS }
      const [outcome, text] = await takeLock(on, { ...own, ...lockOf(key) }, args)
      if (outcome === "wait" || outcome === "fetch") return { kind: outcome }
      if (outcome === "failed") {
        const failure = failureCodec.read(text)
        if (failure) return { kind: "failed", failure }
        await redis.del(keys.failure(kind, key))
        return { kind: "wait" }
      }
      const reading = codec.read(text)
      if (reading) return { kind: "known", reading }
      // A record of another version: out of the way, so that it is read again.
      await redis.del(keys.reading(kind, key))
      return { kind: "wait" }
    },

    async renew(key, token) {
      await renewLock(on, lockOf(key), { token, leaseMs: LOCK_MS })
    },

    async finish(key, token, reading, keepMs) {
      const own = { target: keys.reading(kind, key), ...lockOf(key) }
      await releaseLock(on, own, { token, value: codec.write(reading), keepMs })
    },

    async fail(key, token, failure) {
      const own = { target: keys.failure(kind, key), ...lockOf(key) }
      const value = failure ? failureCodec.write(failure) : ""
      await releaseLock(on, own, { token, value, keepMs: FAILURE_MS })
    },
  }
}
