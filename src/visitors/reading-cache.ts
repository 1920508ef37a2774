import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { DocsError, docsFaults } from "../docs-service/docs-error.ts"
import { parseJson } from "../lib/json.ts"
import type { Clock } from "../lib/time.ts"
import { claimKey, releaseKey } from "../store/claims.ts"
import { key } from "../store/redis-keys.ts"
import type { RedisClient } from "../store/script.ts"
import type { Range } from "./range.ts"
import { dayOf, daysIn } from "./utc-day.ts"

/** Time in ms after which the reading process counts as dead, enough for a few slow requests. */
const LOCK_MS = 60_000
/** First and maximum wait for another process's reading, in ms. */
const WAIT_FIRST_MS = 40
const WAIT_LONGEST_MS = 400
/** Time in ms to keep a failure: all who wait for the reading look more often. */
const FAILURE_MS = 5 * WAIT_LONGEST_MS

const HOUR_MS = 3_600_000
/** Time in ms to keep the numbers of a range whose last day is not over. */
const RUNNING_MS = 5 * 60_000
/** Time in ms after its end until a day counts as over: the service's data lags by minutes. */
const LAG_MS = HOUR_MS
/** Time in ms to keep the totals of single days: alerts compare a day with eight weeks before. */
const SINGLE_DAY_MS = 60 * 24 * HOUR_MS

interface Reading {
  kind: "figures" | "page" | "gaps"
  project: string
  range: Range
  part?: string
}

/** Failed reading, with the time in ms when it failed. */
const failure = z.object({
  fault: z.enum(docsFaults),
  status: z.exactOptional(z.number()),
  retryAfterMs: z.exactOptional(z.number()),
  at: z.number(),
})

export type ReadingCache = ReturnType<typeof createReadingCache>

/**
 * Reads a value once for all who ask at the same time, across processes, and caches it. A failure
 * is theirs, too: after a hanging service, they would otherwise fail one after another.
 */
export function createReadingCache(redis: RedisClient, now: Clock) {
  return async function once<T>(
    shape: z.ZodType<T>,
    id: Reading,
    read: () => Promise<T>,
  ): Promise<{ value: T; at: number }> {
    const { kind, project, range, part } = id
    const parts = [kind, project, range.from, range.to, ...(part === undefined ? [] : [part])]
    const name = key("v", "read", ...parts)
    const reading = z.object({ value: shape, at: z.number() })
    const [lock, failed, token] = [`${name}:lock`, `${name}:failed`, randomUUID()]
    let asked: number | undefined
    for (let pause = WAIT_FIRST_MS; ; pause = Math.min(pause * 2, WAIT_LONGEST_MS)) {
      const [found, broke] = (await redis.mget(name, failed)).map((one) => parseJson(one ?? ""))
      const known = reading.safeParse(found).data
      if (known) return known
      const awaited = failure.safeParse(broke).data
      if (awaited && asked !== undefined && awaited.at >= asked)
        throw new DocsError({ operation: "analytics", ...awaited })
      asked ??= await now()
      if (await claimKey({ redis }, lock, LOCK_MS, token)) break
      await delay(pause)
    }
    try {
      // Takes the time before the request, so that the data is no older than it says.
      const at = await now()
      const fresh = { value: await read(), at }
      await redis.set(name, JSON.stringify(fresh), "PX", keepMs(id, at))
      return fresh
    } catch (error) {
      // A used-up share is one reader's own.
      if (error instanceof DocsError && error.fault !== "own_share") {
        const { fault, status, retryAfterMs } = error
        const left = JSON.stringify({ fault, status, retryAfterMs, at: await now() })
        await redis.set(failed, left, "PX", FAILURE_MS)
      }
      throw error
    } finally {
      await releaseKey(redis, lock, token)
    }
  }
}

function keepMs({ kind, range }: Pick<Reading, "kind" | "range">, at: number): number {
  if (range.to >= dayOf(at - LAG_MS)) return RUNNING_MS
  return kind === "figures" && daysIn(range) === 1 ? SINGLE_DAY_MS : 24 * HOUR_MS
}
