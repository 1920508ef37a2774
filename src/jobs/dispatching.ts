import { UNTIL_WOKEN } from "../runtime/alarm.ts"
import { restAfter } from "../runtime/loop.ts"

interface DispatchingOptions {
  /** Queues with something waiting or being created. */
  busy: () => Promise<string[]>
  /** One pass over one queue; resolves to how long nothing can start, ms. */
  dispatch: (queue: string) => Promise<number>
  /** @param failures in a row, this one included */
  onFailed: (queue: string, error: unknown, failures: number) => void
  /** Called when the next pass will have work, in this many ms. */
  onRest: (restMs: number) => void
}

/**
 * Runs one dispatch for each busy queue, so that a service that hangs for one queue does not hold up
 * the others. Lives as long as the worker.
 */
export class Dispatching {
  readonly #options: DispatchingOptions
  readonly #running = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, number>()
  /** Until when a queue cannot start anything, by `performance.now()`. */
  readonly #restUntil = new Map<string, number>()
  /** Running dispatches whose queue got news after they began. */
  readonly #news = new Set<string>()

  constructor(options: DispatchingOptions) {
    this.#options = options
  }

  /**
   * A job may start that could not start before, in this queue or in any: the queue stops resting, unless
   * its last dispatch failed.
   */
  hear(queue?: string): void {
    const all = () => [...this.#restUntil.keys(), ...this.#running.keys()]
    for (const name of queue === undefined ? all() : [queue]) {
      if (this.#running.has(name)) this.#news.add(name)
      if (!this.#failures.has(name)) this.#restUntil.delete(name)
    }
  }

  /**
   * One pass: makes sure that a dispatch runs for every busy queue that may start something. Returns how
   * long the first of those that rest still does, ms, as it may have been woken for another one.
   */
  async pass(): Promise<number> {
    const now = performance.now()
    let restMs = UNTIL_WOKEN
    for (const name of await this.#options.busy()) {
      if (this.#running.has(name)) continue
      const leftMs = (this.#restUntil.get(name) ?? 0) - now
      if (leftMs > 0) restMs = Math.min(restMs, leftMs)
      else this.#start(name)
    }
    return restMs
  }

  /** Resolves when no dispatch is running. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  #start(queue: string): void {
    this.#news.delete(queue)
    const run = this.#options
      .dispatch(queue)
      .then((restMs) => {
        this.#failures.delete(queue)
        // It may have looked before.
        return this.#news.has(queue) ? 0 : restMs
      })
      .catch((error: unknown) => {
        const failures = (this.#failures.get(queue) ?? 0) + 1
        this.#failures.set(queue, failures)
        this.#options.onFailed(queue, error, failures)
        return restAfter(failures)
      })
      .then((restMs) => {
        this.#restUntil.set(queue, performance.now() + restMs)
        this.#running.delete(queue)
        this.#options.onRest(restMs)
      })
    this.#running.set(queue, run)
  }
}
