import { z } from "zod"
import { DocsError } from "../docs-service/docs-error.ts"
import { parseAs } from "../lib/json.ts"
import { dayOf, HOUR_MS } from "../lib/time.ts"
import { key } from "../store/redis-keys.ts"
import { currentTime, type Store } from "../store/script.ts"
import type { Reader } from "./analytics-limit.ts"
import { daysIn, type Range } from "./range.ts"

/** Time in ms to keep the numbers of a range whose last day is not over. */
const RUNNING_MS = 5 * 60_000
/** Time in ms after its end until a day counts as over: the service's data lags by minutes. */
const LAG_MS = HOUR_MS
/** Time in ms to keep the totals of single days: alerts compare a day with eight weeks before. */
const SINGLE_DAY_MS = 60 * 24 * HOUR_MS

/** Period of a project that somebody asks about. */
export interface Asked {
  reader: Reader
  project: string
  range: Range
}

interface Reading extends Omit<Asked, "reader"> {
  kind: "figures" | "page" | "gaps" | "comments"
  part?: string | undefined
}

/**
 * Reads a value once for all who ask this process at the same time, and caches it for every
 * process. A failure is theirs, too: after a hanging service, they would otherwise fail one after
 * another.
 */
export function createReadingCache(store: Store) {
  const { redis } = store
  const running = new Map<string, Promise<unknown>>()

  async function readFresh<T>(name: string, id: Reading, read: () => Promise<T>) {
    // Takes the time before the request, so that the data is no older than it says.
    const at = await currentTime(store)
    const fresh = { value: await read(), at }
    await redis.set(name, JSON.stringify(fresh), "PX", keepMs(id, at))
    return fresh
  }

  return async function once<T>(
    shape: z.ZodType<T>,
    id: Reading,
    read: () => Promise<T>,
  ): Promise<{ value: T; at: number }> {
    const { kind, project, range, part } = id
    const parts = [kind, project, range.from, range.to, ...(part === undefined ? [] : [part])]
    const name = key("v", "read", ...parts)
    const reading = z.object({ value: shape, at: z.number() })
    const cached = parseAs(reading, await redis.get(name))
    if (cached) return cached
    for (;;) {
      const started = running.get(name)
      if (!started) break
      const shared = reading.safeParse(await started.catch(unlessOwnShare)).data
      if (shared) return shared
    }
    const fresh = readFresh(name, id, read)
    running.set(name, fresh)
    return fresh.finally(() => running.delete(name))
  }
}

/** Ignores a reader's used-up share, which is that reader's own. @throws any other failure */
function unlessOwnShare(error: unknown): undefined {
  if (error instanceof DocsError && error.fault === "own_share") return undefined
  throw error
}

function keepMs({ kind, range }: Pick<Reading, "kind" | "range">, at: number): number {
  // Readers' words are kept as briefly as it takes to share a reading.
  if (kind === "comments" || range.to >= dayOf(at - LAG_MS)) return RUNNING_MS
  return kind === "figures" && daysIn(range) === 1 ? SINGLE_DAY_MS : 24 * HOUR_MS
}
