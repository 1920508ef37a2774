import type { LocalJob } from "./agent-job.ts"
import type { SeenRequest } from "./request-log.ts"

export type DocsEvent =
  | { readonly type: "request"; readonly request: SeenRequest }
  | { readonly type: "job"; readonly job: LocalJob }
  | { readonly type: "faults" | "settings" | "plans" | "hour" }

export type DocsListener = (event: DocsEvent) => void

/** Listeners, called synchronously one after another. */
export class Events {
  readonly #listeners = new Set<DocsListener>()

  emit(event: DocsEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  subscribe(listener: DocsListener): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
