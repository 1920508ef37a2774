import { setTimeout as delay } from "node:timers/promises"
import { SocketModeClient } from "@slack/socket-mode"
import { EnvHttpProxyAgent } from "undici"
import type { Log } from "../runtime/log.ts"
import { isWorthALine, restAfter } from "../runtime/loop.ts"
import { parseJson } from "../text/json.ts"
import { slackLogger } from "./client.ts"
import { TOKEN_CODES, toSlackError } from "./verdict.ts"

interface SocketLineOptions {
  appToken: string
  apiUrl: string
  log: Log
  /** What Slack sends, as the library hands it on. */
  onEvent(event: unknown): void
  /** Called with every change of `connected`. */
  onChange(): void
}

/**
 * One Socket Mode connection that is kept. The library connects; coming back is done here: version 3.1
 * of it waits 5 s and more each time, and gives up with nobody told when Slack answers 429 or 500.
 */
export class SocketLine {
  readonly #options: SocketLineOptions
  readonly #client: SocketModeClient
  readonly #stopping = new AbortController()
  #connected = false

  constructor(options: SocketLineOptions) {
    this.#options = options
    this.#client = new SocketModeClient({
      appToken: options.appToken,
      autoReconnectEnabled: false,
      logger: slackLogger(options.log),
      dispatcher: new EnvHttpProxyAgent(),
      clientOptions: { slackApiUrl: options.apiUrl, retryConfig: { retries: 0 }, timeout: 10_000 },
    })
    understandNotices(this.#client)
    this.#client.on("connected", () => this.#setConnected(true))
    for (const event of ["close", "disconnected", "disconnecting"])
      this.#client.on(event, () => this.#setConnected(false))
    this.#client.on("slack_event", (event: unknown) => options.onEvent(event))
  }

  get connected(): boolean {
    return this.#connected
  }

  /**
   * Resolves when it is connected, however long Slack is away, or stopped.
   * @throws SlackError when Slack refuses the app token
   */
  async connect(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await this.#client.start()
        if (signal.aborted) await this.#client.disconnect()
        return
      } catch (cause) {
        const error = toSlackError("apps.connections.open", cause)
        if (TOKEN_CODES.has(error.code)) throw error
        if (isWorthALine(failures))
          this.#options.log.warn({ error, failures }, "no Socket Mode connection; retrying")
        await this.#rest(error.retryAfterMs ?? restAfter(failures))
      }
    }
  }

  /** Connects, now and whenever the connection has ended, until it is stopped. */
  async keep(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      if (this.#connected) await this.#ended()
      // A refused token may be taken again; if it is not, the process ends for want of a connection.
      else await this.connect().catch(() => this.#rest(restAfter(Infinity)))
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#client.disconnect()
  }

  #setConnected(connected: boolean): void {
    this.#connected = connected
    this.#options.onChange()
  }

  #ended(): Promise<void> {
    return new Promise((resolve) => this.#client.once("disconnected", () => resolve()))
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}

/**
 * Slack's notice that it leaves out events comes in the envelope of an event, without one. Version
 * 3.1 of the library rejects on it, with nobody to catch that; here it is handed on under its own
 * type.
 */
function understandNotices(client: SocketModeClient): void {
  const handlers = client.listeners("ws_message")
  client.removeAllListeners("ws_message")
  client.on("ws_message", (data: unknown, isBinary: unknown) => {
    for (const handler of handlers) handler.call(client, underItsType(data), isBinary)
  })
}

const NOTICE = "app_rate_limited"

function underItsType(data: unknown): unknown {
  // Nearly everything is something else, and is parsed by the library alone.
  if (typeof data !== "string" || !data.includes(NOTICE)) return data
  const envelope = parseJson(data)
  if (!isRecord(envelope) || !isRecord(envelope.payload)) return data
  return envelope.payload.type === NOTICE ? JSON.stringify({ ...envelope, type: NOTICE }) : data
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null
}
