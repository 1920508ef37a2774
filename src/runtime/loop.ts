import { setTimeout as delay } from "node:timers/promises"
import type { Log } from "./log.ts"

/** One pass of some work; resolves to how long the loop may rest before the next one, in ms. */
export type Pass = () => Promise<number>

const LONGEST_BACKOFF_MS = 15_000

/** Until another try after so many failures in a row, ms. */
export function restAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, LONGEST_BACKOFF_MS)
}

/** One line per outage and one per power of two, so that a night without Redis stays readable. */
export function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

/**
 * Runs a pass, rests, runs it again, until the signal aborts; passes never overlap. A failed pass is
 * logged and the rest grows, so a store that is away is neither hammered nor given up on.
 * Resolves when the pass in hand has ended.
 */
export async function runLoop(
  name: string,
  pass: Pass,
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    let restMs: number
    try {
      restMs = await pass()
      if (failures > 0) log.info({ loop: name, failures }, "the loop works again")
      failures = 0
    } catch (error) {
      failures += 1
      restMs = restAfter(failures)
      if (isWorthALine(failures))
        log.error({ loop: name, failures, error }, "a pass failed and will be tried again")
    }
    await delay(restMs, undefined, { signal, ref: true }).catch(() => {})
  }
}
