import { randomUUID } from "node:crypto"
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
  readonly #links = new Set<Link>()
  readonly #pings: NodeJS.Timeout
  #turn = 0

  constructor(options: SocketHubOptions) {
    this.#options = options
    this.#pings = setInterval(() => {
      for (const link of this.#links) link.ping()
    }, PING_MS).unref()
  }

  get open(): number {
    return [...this.#links].filter((link) => link.isReady).length
  }

  ticketUrl(): string {
    const ticket = newId("", 24)
    this.#tickets.add(ticket)
    const root = this.#options.root().replace(/^http/, "ws")
    return `${root}/link/?ticket=${ticket}&app_id=${this.#options.appId}`
  }

  /** Asks the oldest connections to close and stops using them; new ones can open immediately. */
  disconnect(reason: DisconnectReason, most = MOST_LINKS): void {
    for (const link of [...this.#links].slice(0, most)) link.dismiss(reason)
    this.#options.onChange()
  }

  /** Terminates every connection without notice, as a network failure does. */
  cut(): void {
    for (const link of this.#links) link.cut()
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
    const ready = [...this.#links].filter((link) => link.isReady)
    const link = ready[this.#turn++ % Math.max(1, ready.length)]
    if (link !== undefined) return await link.deliver(delivery)
    const failure = "connection_failed"
    return { ok: false, status: undefined, body: undefined, ms: 0, failure }
  }

  async close(): Promise<void> {
    clearInterval(this.#pings)
    // Including clients that were asked to disconnect but stayed.
    for (const client of this.#server.clients) client.terminate()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #welcome(socket: WebSocket): void {
    const link = new Link(socket, this.#options.timeoutMs)
    if (this.#links.size >= MOST_LINKS) {
      link.dismiss("too_many_websockets")
      return
    }
    this.#links.add(link)
    socket.on("close", () => {
      this.#links.delete(link)
      this.#options.onChange()
    })
    link.greet(this.#options.appId, this.#links.size)
    this.#options.onChange()
  }
}

type Settle = (body: Json | undefined, failure: RetryReason | undefined) => void

/** One Socket Mode connection, from Slack's side. */
class Link {
  readonly #socket: WebSocket
  readonly #timeoutMs: number
  readonly #waiting = new Map<string, Settle>()
  #dismissed = false

  constructor(socket: WebSocket, timeoutMs: number) {
    this.#socket = socket
    this.#timeoutMs = timeoutMs
    socket.on("message", (data) => this.#receive(Buffer.isBuffer(data) ? data.toString() : ""))
    socket.on("close", () => {
      for (const settle of this.#waiting.values()) settle(undefined, "connection_failed")
    })
    // The close event that follows is enough.
    socket.on("error", () => undefined)
  }

  get isReady(): boolean {
    return !this.#dismissed && this.#socket.readyState === WebSocket.OPEN
  }

  greet(appId: string, connections: number): void {
    this.#send({
      type: "hello",
      num_connections: connections,
      connection_info: { app_id: appId },
      debug_info: { host: "applink-local", build_number: 1, approximate_connection_time: 3600 },
    })
  }

  /** Asks the app to disconnect and sends nothing more; the app is expected to reconnect. */
  dismiss(reason: string): void {
    this.#dismissed = true
    this.#send({ type: "disconnect", reason, debug_info: { host: "applink-local" } })
  }

  ping(): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping()
  }

  cut(): void {
    this.#socket.terminate()
  }

  deliver(delivery: Delivery): Promise<Acknowledgement> {
    const began = performance.now()
    const id = randomUUID()
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(id, undefined, "http_timeout"), this.#timeoutMs)
      this.#waiting.set(id, (body, failure) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        const ms = performance.now() - began
        resolve({ ok: !failure, status: undefined, body, ms, failure })
      })
      this.#send(envelope(id, delivery))
    })
  }

  #receive(text: string): void {
    const message = parseJson(text)
    if (!isObject(message)) return
    const body = message.payload
    const isEmpty = !isObject(body) || Object.keys(body).length === 0
    this.#settle(stringIn(message, "envelope_id") ?? "", isEmpty ? undefined : body, undefined)
  }

  #settle(id: string, body: Json | undefined, failure: RetryReason | undefined): void {
    this.#waiting.get(id)?.(body, failure)
  }

  #send(message: JsonObject): void {
    this.#socket.send(JSON.stringify(message))
  }
}

function envelope(id: string, delivery: Delivery): JsonObject {
  const { kind: type, payload, retry } = delivery
  const answerable = type !== "events_api"
  const common = { envelope_id: id, type, payload, accepts_response_payload: answerable }
  if (type !== "events_api") return common
  return { ...common, retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? "" }
}
