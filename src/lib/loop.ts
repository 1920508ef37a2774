import { setTimeout as delay } from "node:timers/promises"
import type { Log } from "./log.ts"
import { raceAbort } from "./time.ts"

/** Wait in ms that only another ring of the alarm ends. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY
/** Maximum delay that a Node timer accepts; a longer one fires after 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Wakes one loop early. Callers may set it for now or later, even while the loop is not waiting;
 * the earliest time wins. Uses the monotonic clock.
 */
export class Alarm {
  /** Time of the next ring in ms, by `performance.now()`. */
  #dueAt = UNTIL_WOKEN
  #wake = () => {}

  ring(inMs = 0): void {
    const at = performance.now() + inMs
    if (at >= this.#dueAt) return
    this.#dueAt = at
    this.#wake()
  }

  silence(): void {
    this.#dueAt = UNTIL_WOKEN
  }

  async sleep(): Promise<void> {
    while (this.#dueAt > performance.now()) {
      const leftMs = Math.ceil(this.#dueAt - performance.now())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, MAX_TIMER_MS))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}

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

/** Time in ms that a loop whose passes may overlap waits for a slow one before it starts the next. */
const SLOW_MS = 1000

/**
 * Runs passes until the signal aborts, and resolves when those in flight have ended. The next one
 * starts after the last, or beside `atOnce - 1` slow ones, so that a server that does not answer
 * about one job does not delay the others. After a failed pass it waits even if the alarm rings, so
 * that it does not flood an unavailable Redis.
 */
export async function runLoop(
  name: string,
  pass: Pass,
  options: {
    signal: AbortSignal
    log: Log
    alarm?: Alarm | undefined
    atOnce?: number
    /** Returns whether somebody else already reports this error, as a connection its outage. */
    isReported?: (error: unknown) => boolean
  },
): Promise<void> {
  const { signal, log, alarm = new Alarm(), atOnce = 1, isReported = () => false } = options
  signal.addEventListener("abort", () => alarm.ring())
  const running = new Set<Promise<void>>()
  let failures = 0
  const run = async () => {
    try {
      alarm.ring(await pass())
      if (failures > 0) log.info({ loop: name, failures }, "background work recovered")
      failures = 0
    } catch (error) {
      failures += 1
      if (isWorthALine(failures) && !signal.aborted && !isReported(error))
        log.error({ loop: name, failures, error }, "background work failed; retrying")
    }
  }
  while (!signal.aborted) {
    alarm.silence()
    const one: Promise<void> = run().finally(() => running.delete(one))
    running.add(one)
    const slow = running.size < atOnce && AbortSignal.timeout(SLOW_MS)
    await (slow ? raceAbort(one, slow, undefined) : Promise.race(running))
    if (failures > 0)
      await delay(restAfter(failures), undefined, { signal, ref: true }).catch(() => {})
    else if (!running.has(one)) await alarm.sleep()
  }
  await Promise.all(running)
}

/** Signals of a shutdown: to start nothing new, then to wait no longer for what is in flight. */
export interface Stop {
  stopping: AbortSignal
  forceStop: AbortSignal
}
