import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { FirstState, Update } from "./wire.ts"

/** Proxies and browsers drop connections on which nothing moves; ms. */
const HEARTBEAT_MS = 15_000
/** Updates that are kept for pages that missed some: a busy minute's worth. */
const KEEP = 500

/**
 * Server-sent events to every open page. Each has an id that leads on from there, so that a page
 * which has the state of a moment, or was away since, hears exactly what it missed.
 */
export class Feed {
  /** A restarted sandbox counts from the start: its ids must not pass for those of the one before. */
  readonly #run = randomUUID().slice(0, 8)
  readonly #pages = new Set<ServerResponse>()
  readonly #heartbeat: NodeJS.Timeout
  readonly #first = firstTime()
  /** The latest events as they were sent, oldest first. */
  readonly #kept: string[] = []
  #sent = 0

  constructor() {
    this.#heartbeat = setInterval(() => {
      for (const page of this.#pages) page.write(": still here\n\n")
    }, HEARTBEAT_MS).unref()
  }

  /** The id of the latest event: what a state of this moment takes in. */
  get cursor(): string {
    return `${this.#run}-${this.#sent}`
  }

  /** Resolves when the first page is open. */
  somebodyLooks(): Promise<void> {
    return this.#first.promise
  }

  /**
   * Keeps the response open and goes on from the event that the page knows; a page that knows none,
   * one of another run or one too long ago begins with the whole state.
   */
  open(response: ServerResponse, since: string | undefined, state: () => FirstState): void {
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
    })
    // A restarted sandbox should be found again soon.
    response.write("retry: 1000\n\n")
    const missed = since === undefined ? undefined : this.#after(since)
    response.write(missed?.join("") ?? encode(this.cursor, { type: "state", ...state() }))
    this.#pages.add(response)
    this.#first.resolve()
    response.on("close", () => this.#pages.delete(response))
  }

  send(update: Update): void {
    this.#sent += 1
    const event = encode(this.cursor, update)
    this.#kept.push(event)
    if (this.#kept.length > KEEP) this.#kept.shift()
    for (const page of this.#pages) page.write(event)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const page of this.#pages) page.end()
  }

  /** The events after the one with this id; undefined where that cannot be known. */
  #after(id: string): readonly string[] | undefined {
    const [, run, at] = /^(\w+)-(\d+)$/.exec(id) ?? []
    const missed = this.#sent - Number(at)
    if (run !== this.#run || missed < 0 || missed > this.#kept.length) return undefined
    return this.#kept.slice(this.#kept.length - missed)
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

function encode(id: string, update: Update): string {
  return `id: ${id}\ndata: ${JSON.stringify(update)}\n\n`
}
