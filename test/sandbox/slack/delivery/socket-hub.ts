import { randomUUID } from "node:crypto"
import { EventEmitter, once } from "node:events"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import { WebSocket, WebSocketServer } from "ws"
import { isObject, type Json, type JsonObject, parseJson, stringIn } from "../../kit/json.ts"
import { newId } from "../workspace/ids.ts"
import type { Acknowledgement, Delivery, RetryReason, Transport } from "./delivery.ts"

/** Maximum number of an app's connections; one more is asked to disconnect. */
const MOST_LINKS = 10
/** Time in ms between pings; a client that gets none for 30 s disconnects. */
const PING_MS = 10_000

export interface SocketHubOptions {
  readonly appId: string
  readonly timeoutMs: number
  readonly root: () => string
  readonly onChange: () => void
}

export type DisconnectReason = "warning" | "refresh_requested" | "link_disabled"

export type SocketControls = Pick<SocketHub, "open" | "disconnect" | "cut">

/** Slack's end of Socket Mode: issues tickets, keeps connections, and delivers to one of them. */
export class SocketHub implements Transport {
  readonly #options: SocketHubOptions
  readonly #server = new WebSocketServer({ noServer: true })
  readonly #tickets = new Set<string>()
  /** Connections that weren't asked to close, oldest first, each with the signal of its end. */
  readonly #links = new Map<WebSocket, AbortSignal>()
  /** Answers of the app, as events by `envelope_id`. */
  readonly #answers = new EventEmitter()
  readonly #pings: NodeJS.Timeout
  #turn = 0

  constructor(options: SocketHubOptions) {
    this.#options = options
    this.#pings = setInterval(() => {
      for (const client of this.#server.clients) client.ping()
    }, PING_MS).unref()
  }

  get open(): number {
    return this.#ready().length
  }

  ticketUrl(): string {
    const ticket = newId("", 24)
    this.#tickets.add(ticket)
    const root = this.#options.root().replace(/^http/, "ws")
    return `${root}/link/?ticket=${ticket}&app_id=${this.#options.appId}`
  }

  /** Asks the oldest connections to close and stops using them; new ones can open immediately. */
  disconnect(reason: DisconnectReason, most = MOST_LINKS): void {
    for (const [socket] of [...this.#links].slice(0, most)) this.#dismiss(socket, reason)
    this.#options.onChange()
  }

  /** Terminates every connection without notice, as a network failure does. */
  cut(): void {
    for (const client of this.#server.clients) client.terminate()
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", "http://local")
    const ticket = url.searchParams.get("ticket") ?? ""
    if (url.pathname !== "/link/" || !this.#tickets.delete(ticket)) {
      socket.end("HTTP/1.1 408 Refused\r\nConnection: close\r\n\r\n")
      return
    }
    this.#server.handleUpgrade(request, socket, head, (accepted) => this.#welcome(accepted))
  }

  /** Delivers to one connection, in turn; there is no stickiness and no broadcast. */
  async deliver(delivery: Delivery): Promise<Acknowledgement> {
    const began = performance.now()
    const answered = (failure: RetryReason | undefined, body?: Json) => {
      const ms = performance.now() - began
      return { ok: failure === undefined, status: undefined, body, ms, failure }
    }
    const ready = this.#ready()
    const [socket, gone] = ready[this.#turn++ % Math.max(1, ready.length)] ?? []
    if (socket === undefined || gone === undefined) return answered("connection_failed")
    const id = randomUUID()
    const late = AbortSignal.timeout(this.#options.timeoutMs)
    send(socket, envelope(id, delivery))
    try {
      const [body] = await once(this.#answers, id, { signal: AbortSignal.any([late, gone]) })
      return answered(undefined, body)
    } catch {
      return answered(late.aborted ? "http_timeout" : "connection_failed")
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#pings)
    // Including clients that were asked to disconnect but stayed.
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #ready() {
    return [...this.#links].filter(([{ readyState }]) => readyState === WebSocket.OPEN)
  }

  /** Asks the app to disconnect and sends nothing more; the app is expected to reconnect. */
  #dismiss(socket: WebSocket, reason: string): void {
    this.#links.delete(socket)
    send(socket, { type: "disconnect", reason, debug_info: { host: "applink-local" } })
  }

  #welcome(socket: WebSocket): void {
    // The close event that follows is enough.
    socket.on("error", () => undefined)
    const connections = this.#server.clients.size
    if (connections > MOST_LINKS) {
      this.#dismiss(socket, "too_many_websockets")
      return
    }
    const closing = new AbortController()
    this.#links.set(socket, closing.signal)
    socket.on("message", (data) => this.#receive(Buffer.isBuffer(data) ? data.toString() : ""))
    socket.on("close", () => {
      this.#links.delete(socket)
      closing.abort()
      this.#options.onChange()
    })
    send(socket, {
      type: "hello",
      num_connections: connections,
      connection_info: { app_id: this.#options.appId },
      debug_info: { host: "applink-local", build_number: 1, approximate_connection_time: 3600 },
    })
    this.#options.onChange()
  }

  #receive(text: string): void {
    const message = parseJson(text)
    if (!isObject(message)) return
    const body = message.payload
    const isEmpty = !isObject(body) || Object.keys(body).length === 0
    this.#answers.emit(stringIn(message, "envelope_id") ?? "", isEmpty ? undefined : body)
  }
}

function send(socket: WebSocket, message: JsonObject): void {
  socket.send(JSON.stringify(message))
}

function envelope(id: string, delivery: Delivery): JsonObject {
  const { kind: type, payload, retry } = delivery
  const answerable = type !== "events_api"
  const common = { envelope_id: id, type, payload, accepts_response_payload: answerable }
  if (type !== "events_api") return common
  return { ...common, retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? "" }
}
