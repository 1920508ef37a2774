import type { ServerResponse } from "node:http"
import type { TimeControl } from "./time-control.ts"
import { type Shown, snapshot } from "./to-wire.ts"

/** Time in ms from a change to the state that shows it, so that a burst of changes is one. */
const REST_MS = 30

export interface WorkspaceParts extends Shown {
  readonly time: TimeControl
}

/** State of the sandbox, which every open page gets at once and again after changes. */
export class WorkspaceApi {
  readonly parts: WorkspaceParts
  /** Open pages, each with its time of opening in epoch ms. */
  readonly #pages = new Map<ServerResponse, number>()
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(parts: WorkspaceParts) {
    this.parts = parts
    this.#unsubscribe = parts.slack.subscribe(({ type }) => {
      if (type !== "called" && type !== "delivered") this.changed()
    })
  }

  /** Keeps the response open until its reader disconnects. */
  open(response: ServerResponse): void {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    })
    // Pages should find a restarted sandbox soon.
    response.write("retry: 1000\n\n")
    const openedAt = this.parts.time.now()
    this.#pages.set(response, openedAt)
    response.on("close", () => this.#pages.delete(response))
    this.#send(response, openedAt)
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const [page, openedAt] of this.#pages) this.#send(page, openedAt)
    }, REST_MS)
  }

  close(): void {
    this.#unsubscribe()
    clearTimeout(this.#timer)
    for (const page of this.#pages.keys()) page.end()
  }

  #send(page: ServerResponse, openedAt: number): void {
    page.write(`data: ${JSON.stringify(snapshot(this.parts, openedAt))}\n\n`)
  }
}
