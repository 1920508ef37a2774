import { setTimeout as delay } from "node:timers/promises"
import { Alarm } from "./alarm.ts"
import type { Log } from "./log.ts"

/**
 * One pass of some work; resolves to how long the loop may rest before the next one, in ms, unless its
 * alarm rings before.
 */
export type Pass = () => Promise<number>

const LONGEST_BACKOFF_MS = 15_000

/** The wait for another try after so many failures in a row, ms. */
export function restAfter(failures: number): number {
  return Math.min(250 * 2 ** failures, LONGEST_BACKOFF_MS)
}

/** One line per outage and one per power of two, so that a night without Redis stays readable. */
export function isWorthALine(failures: number): boolean {
  return Number.isInteger(Math.log2(failures))
}

interface LoopOptions {
  signal: AbortSignal
  log: Log
  /** Ends rests early; absent, nothing does. */
  alarm?: Alarm | undefined
}

/**
 * Runs a pass, rests, runs it again, until the signal aborts; passes never overlap. A failed pass is
 * logged and the rest grows, whatever rings, so a store that is away is neither hammered nor given up
 * on. Resolves when the pass in hand has ended.
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
