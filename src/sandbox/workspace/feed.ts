import type { ServerResponse } from "node:http"
import type { Update } from "./wire.ts"

/** Proxies and browsers drop connections on which nothing moves; ms. */
const HEARTBEAT_MS = 15_000

/** Server-sent events to every open page. */
export class Feed {
  readonly #pages = new Set<ServerResponse>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #first = firstTime()

  constructor() {
    this.#heartbeat = setInterval(() => {
      for (const page of this.#pages) page.write(": still here\n\n")
    }, HEARTBEAT_MS).unref()
  }

  /** Resolves when the first page is open. */
  somebodyLooks(): Promise<void> {
    return this.#first.promise
  }

  /** Keeps the response open. A page that comes back gets the whole state, so nothing is replayed. */
  open(response: ServerResponse, first: Update): void {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    })
    // A restarted sandbox should be found again soon.
    response.write(`retry: 1000\n${encode(first)}`)
    this.#pages.add(response)
    this.#first.resolve()
    response.on("close", () => this.#pages.delete(response))
  }

  send(update: Update): void {
    if (this.#pages.size === 0) return
    const text = encode(update)
    for (const page of this.#pages) page.write(text)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const page of this.#pages) page.end()
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function firstTime(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function encode(update: Update): string {
  return `data: ${JSON.stringify(update)}\n\n`
}
