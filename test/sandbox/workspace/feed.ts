import type { ServerResponse } from "node:http"
import type { Update, WorkspaceState } from "./wire.ts"

export class Feed {
  readonly #pages = new Set<ServerResponse>()

  /** Keeps the response open until its reader disconnects. */
  open(response: ServerResponse, state: WorkspaceState): void {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    })
    // Pages should find a restarted sandbox soon.
    response.write(`retry: 1000\n\n${encode({ type: "state", state })}`)
    this.#pages.add(response)
    response.on("close", () => this.#pages.delete(response))
  }

  send(update: Update): void {
    const event = encode(update)
    for (const page of this.#pages) page.write(event)
  }

  close(): void {
    for (const page of this.#pages) page.end()
  }
}

function encode(update: Update): string {
  return `data: ${JSON.stringify(update)}\n\n`
}
