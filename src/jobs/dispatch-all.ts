import { RESTS } from "../config/timing.ts"
import { restAfter } from "../runtime/loop.ts"
import type { QueueStore } from "./ports.ts"

export interface DispatchingOptions {
  queue: QueueStore
  /** One pass over one queue; resolves to how long nothing can start, ms. */
  dispatch: (queue: string) => Promise<number>
  /** @param failures in a row, this one included */
  onFailed: (queue: string, error: unknown, failures: number) => void
}

/**
 * Keeps one dispatch going for each busy queue, so that a service that hangs for one of them holds
 * up no other. Lives as long as the worker.
 */
export class Dispatching {
  readonly #options: DispatchingOptions
  readonly #running = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, number>()
  /** Until when a queue cannot start anything, by `performance.now()`. */
  readonly #restUntil = new Map<string, number>()

  constructor(options: DispatchingOptions) {
    this.#options = options
  }

  /** One pass: sees to it that every busy queue that may start something is being dispatched. */
  async pass(): Promise<number> {
    const now = performance.now()
    for (const name of await this.#options.queue.busy()) {
      const resting = (this.#restUntil.get(name) ?? 0) > now
      if (!resting && !this.#running.has(name)) this.#start(name)
    }
    return RESTS.busyProjects
  }

  /** Resolves when no dispatch is going. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  #start(queue: string): void {
    const run = this.#options
      .dispatch(queue)
      .then((restMs) => {
        this.#failures.delete(queue)
        return restMs
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
      })
    this.#running.set(queue, run)
  }
}
