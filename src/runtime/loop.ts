import { setTimeout as delay } from "node:timers/promises"
import { Alarm } from "./alarm.ts"
import type { Log } from "./log.ts"

/** Does one pass of some work; resolves to the rest before the next pass, ms, which the alarm may end early. */
export type Pass = () => Promise<number>

const LONGEST_BACKOFF_MS = 15_000

/** Returns the wait before another try after this many failures in a row, ms. */
export function restAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, LONGEST_BACKOFF_MS)
}

/**
 * Returns whether to log this failure: the first, and those at powers of two, so that the log of a
 * night without Redis stays readable.
 */
export function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

interface LoopOptions {
  signal: AbortSignal
  log: Log
  /** Ends rests early; if absent, nothing does. */
  alarm?: Alarm | undefined
}

/**
 * Runs a pass, rests, runs it again, until the signal aborts; passes never overlap. Logs a failed
 * pass and rests longer, whatever rings, so that the loop neither floods an absent store nor gives
 * it up. Resolves when the pass in hand has ended.
 */
export async function runLoop(
  name: string,
  pass: Pass,
  { signal, log, alarm = new Alarm() }: LoopOptions,
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
