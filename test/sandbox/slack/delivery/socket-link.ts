import { randomUUID } from "node:crypto"
import { WebSocket } from "ws"
import { isObject, type Json, type JsonObject, parseJson, stringIn } from "../../kit/json.ts"
import type { Acknowledgement, Delivery, RetryReason } from "./delivery.ts"

type Settle = (body: Json | undefined, failure: RetryReason | undefined) => void

/** One Socket Mode connection, from Slack's side. */
export class Link {
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
