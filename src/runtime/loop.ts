import { setTimeout as delay } from "node:timers/promises"
import { Alarm } from "./alarm.ts"
import type { Log } from "./log.ts"

/** Does one pass of some work; resolves to the wait before the next pass in ms. */
export type Pass = () => Promise<number>

const LONGEST_BACKOFF_MS = 15_000

/** Returns the wait in ms before another try after this many failures in a row. */
export function restAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, LONGEST_BACKOFF_MS)
}

/** Picks the first failure and those at powers of two, so that the log of a bad night stays readable. */
export function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

/**
 * Runs passes one after another until the signal aborts, and resolves when the current one has
 * ended. After a failed pass it waits whatever the alarm says, so that it does not flood an absent
 * Redis.
 */
export async function runLoop(
  name: string,
  pass: Pass,
  {
    signal,
    log,
    alarm = new Alarm(),
  }: { signal: AbortSignal; log: Log; alarm?: Alarm | undefined },
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    alarm.silence()
    try {
      const restMs = await pass()
      if (failures > 0) log.info({ loop: name, failures }, "the loop has recovered")
      failures = 0
      await alarm.sleep(restMs, signal)
    } catch (error) {
      failures += 1
      if (isWorthALine(failures) && !signal.aborted)
        log.error({ loop: name, failures, error }, "a pass failed; retrying")
      await delay(restAfter(failures), undefined, { signal, ref: true }).catch(() => {})
    }
  }
}
