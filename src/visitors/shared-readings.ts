import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { DocsError } from "../errors/docs-error.ts"
import { key } from "../store/keys.ts"
import type { RedisClient } from "../store/script.ts"
import { parseJson } from "../text/json.ts"
import { gapFacts } from "./gaps.ts"
import type { Reading } from "./readings.ts"

interface Fetched<T> {
  reading: Reading<T>
  keepMs: number
}

/** A fetch that takes longer belongs to a process that died, ms: a few requests at their slowest. */
const LOCK_MS = 60_000
/** First and longest wait for another process' fetch, ms. */
const WAIT_FIRST_MS = 40
const WAIT_LONGEST_MS = 400

const count = z.number().nonnegative()
const figures = z.object({ human: count, ai: count, total: count })
const page = z.object({
  totals: figures,
  visitors: z.array(z.object({ path: z.string(), ...figures.shape })),
  hasMore: z.boolean(),
})

export type SharedReadings = ReturnType<typeof createSharedReadings>

/** Figures read from the service, shared by every process. */
export function createSharedReadings(redis: RedisClient) {
  return {
    figures: shared(redis, "figures", figures),
    page: shared(redis, "page", page),
    gaps: shared(redis, "gaps", gapFacts),
  }
}

/**
 * Reads something once for everybody who asks at the same time, and remembers it: callers in this process
 * share one promise, processes share one lock.
 */
function shared<T>(redis: RedisClient, kind: string, shape: z.ZodType<T>) {
  const reading = z.object({ value: shape, at: z.number() })
  const inFlight = new Map<string, Promise<Reading<T>>>()

  async function acrossProcesses(
    id: string,
    fetch: () => Promise<Fetched<T>>,
  ): Promise<Reading<T>> {
    const [name, token] = [key("v", "read", kind, id), randomUUID()]
    const lock = `${name}:lock`
    for (let pause = WAIT_FIRST_MS; ; pause = Math.min(pause * 2, WAIT_LONGEST_MS)) {
      const known = reading.safeParse(parseJson((await redis.get(name)) ?? "")).data
      if (known) return known
      if ((await redis.set(lock, token, "PX", LOCK_MS, "NX")) === "OK") break
      await delay(pause)
    }
    try {
      const { reading: fresh, keepMs } = await fetch()
      await redis.set(name, JSON.stringify(fresh), "PX", keepMs)
      return fresh
    } finally {
      if ((await redis.get(lock)) === token) await redis.del(lock)
    }
  }

  async function once(id: string, fetch: () => Promise<Fetched<T>>): Promise<Reading<T>> {
    const running = inFlight.get(id)
    // That the share of whoever asked first is used up says nothing to the others.
    if (running)
      return running.catch((error) => (isOwnShare(error) ? once(id, fetch) : reject(error)))
    const fetching = acrossProcesses(id, fetch).finally(() => inFlight.delete(id))
    inFlight.set(id, fetching)
    return fetching
  }

  return { once }
}

function isOwnShare(error: unknown): boolean {
  return error instanceof DocsError && error.ownShare
}

function reject(error: unknown): never {
  throw error
}
