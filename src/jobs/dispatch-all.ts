import { RESTS } from "../config/timing.ts"
import { restAfter } from "../runtime/loop.ts"
import type { QueueStore } from "./ports.ts"

export interface DispatchingOptions {
  queue: QueueStore
  /** One pass over one project; resolves to how long nothing can start, ms. */
  dispatch: (project: string) => Promise<number>
  /** @param failures in a row, this one included */
  onFailed: (project: string, error: unknown, failures: number) => void
}

/**
 * Keeps one dispatch going for each busy project, so that a service that hangs for one of them holds
 * up no other. Lives as long as the worker.
 */
export class Dispatching {
  readonly #options: DispatchingOptions
  readonly #running = new Map<string, Promise<void>>()
  readonly #failures = new Map<string, number>()
  /** Until when a project cannot start anything, by `performance.now()`. */
  readonly #restUntil = new Map<string, number>()

  constructor(options: DispatchingOptions) {
    this.#options = options
  }

  /** One pass: sees to it that every busy project that may start something is being dispatched. */
  async pass(): Promise<number> {
    const now = performance.now()
    for (const project of await this.#options.queue.busy()) {
      const resting = (this.#restUntil.get(project) ?? 0) > now
      if (!resting && !this.#running.has(project)) this.#start(project)
    }
    return RESTS.busyProjects
  }

  /** Resolves when no dispatch is going. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  #start(project: string): void {
    const run = this.#options
      .dispatch(project)
      .then((restMs) => {
        this.#failures.delete(project)
        return restMs
      })
      .catch((error: unknown) => {
        const failures = (this.#failures.get(project) ?? 0) + 1
        this.#failures.set(project, failures)
        this.#options.onFailed(project, error, failures)
        return restAfter(failures)
      })
      .then((restMs) => {
        this.#restUntil.set(project, performance.now() + restMs)
        this.#running.delete(project)
      })
    this.#running.set(project, run)
  }
}
