import { setTimeout as delay } from "node:timers/promises"
import { Alarm } from "./alarm.ts"
import type { Log } from "./log.ts"

/** Does one pass of some work; resolves to the wait before the next pass in ms. */
export type Pass = () => Promise<number>

const MAX_BACKOFF_MS = 15_000

export function restAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, MAX_BACKOFF_MS)
}

/** Returns true for the 1st, 2nd, 4th, 8th… failure, so that an outage does not flood the log. */
export function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

/**
 * Runs passes one after another until the signal aborts, and resolves when the current one has
 * ended. After a failed pass it waits even if the alarm rings, so that it does not flood an
 * unavailable Redis.
 */
export async function runLoop(
  name: string,
  pass: Pass,
  options: { signal: AbortSignal; log: Log; alarm?: Alarm | undefined },
): Promise<void> {
  const { signal, log, alarm = new Alarm() } = options
  signal.addEventListener("abort", () => alarm.ring())
  let failures = 0
  while (!signal.aborted) {
    alarm.silence()
    try {
      const restMs = await pass()
      if (failures > 0) log.info({ loop: name, failures }, "background work recovered")
      failures = 0
      await alarm.sleep(restMs)
    } catch (error) {
      failures += 1
      if (isWorthALine(failures) && !signal.aborted)
        log.error({ loop: name, failures, error }, "background work failed; retrying")
      await delay(restAfter(failures), undefined, { signal, ref: true }).catch(() => {})
    }
  }
}
