import type { QueueStore } from "./ports.ts"

const REST_MS = 100
const AFTER_FAILURE_MS = 1000

export interface DispatchingOptions {
  queue: QueueStore
  /** One pass over one project; resolves to how long nothing can start, ms. */
  dispatch: (project: string) => Promise<number>
  onFailed: (project: string, error: unknown) => void
  now: () => number
}

/**
 * Keeps one dispatch going for each busy project, so that a service that hangs for one of them holds
 * up no other. Lives as long as the worker.
 */
export class Dispatching {
  readonly #queue: QueueStore
  readonly #dispatch: (project: string) => Promise<number>
  readonly #onFailed: (project: string, error: unknown) => void
  readonly #now: () => number
  readonly #running = new Map<string, Promise<void>>()
  /** Until when a project cannot start anything, ms. */
  readonly #restUntil = new Map<string, number>()

  constructor(options: DispatchingOptions) {
    this.#queue = options.queue
    this.#dispatch = options.dispatch
    this.#onFailed = options.onFailed
    this.#now = options.now
  }

  /** One pass: sees to it that every busy project that may start something is being dispatched. */
  async pass(): Promise<number> {
    const now = this.#now()
    for (const project of await this.#queue.busy()) {
      const resting = (this.#restUntil.get(project) ?? 0) > now
      if (!resting && !this.#running.has(project)) this.#start(project)
    }
    return REST_MS
  }

  /** Resolves when no dispatch is going. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values())
  }

  #start(project: string): void {
    const run = this.#dispatch(project)
      .catch((error: unknown) => {
        this.#onFailed(project, error)
        return AFTER_FAILURE_MS
      })
      .then((restMs) => {
        this.#restUntil.set(project, this.#now() + restMs)
        this.#running.delete(project)
      })
    this.#running.set(project, run)
  }
}
