import { randomUUID } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import { DocsError } from "../errors/docs-error.ts"
import type { SharedReadings } from "./reading-ports.ts"
import type { Reading } from "./report.ts"

/** First and longest wait for somebody else's fetch, ms. */
const WAIT_FIRST_MS = 40
const WAIT_LONGEST_MS = 400
/** Ten pages at the service's slowest, and then some; ms. */
const PATIENCE_MS = 180_000

export interface Fetched<T> {
  reading: Reading<T>
  keepMs: number
}

/** @param renew to be called after each request of a fetch that takes several */
type Fetch<T> = (renew: () => Promise<void>) => Promise<Fetched<T>>

/**
 * Reads something once for everybody who asks at the same time: callers in this process share one
 * promise, processes share one lock. A failure of the service reaches all who waited, so that an
 * outage is not asked about once per person.
 */
export function createReadOnce<T>(shared: SharedReadings<T>) {
  const inFlight = new Map<string, Promise<Reading<T>>>()

  const once = (key: string, fetch: Fetch<T>): Promise<Reading<T>> => {
    const running = inFlight.get(key)
    if (running) return running.catch((error) => againIfOthers(error, () => once(key, fetch)))
    const reading = acrossProcesses(shared, key, fetch).finally(() => inFlight.delete(key))
    inFlight.set(key, reading)
    return reading
  }
  return once
}

/** That somebody's own share is used up says nothing to those who waited for them. */
function againIfOthers<T>(error: unknown, again: () => Promise<T>): Promise<T> {
  if (error instanceof DocsError && error.ownShare) return again()
  throw error
}

async function acrossProcesses<T>(
  shared: SharedReadings<T>,
  key: string,
  fetch: Fetch<T>,
): Promise<Reading<T>> {
  const token = randomUUID()
  let waited = 0
  for (
    let pause = WAIT_FIRST_MS;
    waited < PATIENCE_MS;
    pause = Math.min(pause * 2, WAIT_LONGEST_MS)
  ) {
    const lock = await shared.lock(key, token)
    if (lock.kind === "known") return lock.reading
    if (lock.kind === "failed") throw new DocsError({ operation: "visitors", ...lock.failure })
    if (lock.kind === "fetch") return fetchForAll(shared, key, token, fetch)
    await delay(pause)
    waited += pause
  }
  const detail = "another process is reading the same numbers and does not come to an end"
  throw new DocsError({ operation: "visitors", fault: "interrupted", detail })
}

async function fetchForAll<T>(
  shared: SharedReadings<T>,
  key: string,
  token: string,
  fetch: Fetch<T>,
): Promise<Reading<T>> {
  try {
    const { reading, keepMs } = await fetch(() => shared.renew(key, token))
    await shared.finish(key, token, reading, keepMs)
    return reading
  } catch (error) {
    await shared.fail(key, token, failureOf(error))
    throw error
  }
}

function failureOf(error: unknown) {
  if (!(error instanceof DocsError) || error.ownShare) return undefined
  const { fault, retryAfterMs } = error
  return { fault, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
