import { setTimeout as delay } from "node:timers/promises"
import type { App, Receiver } from "@slack/bolt"
import { SocketModeClient } from "@slack/socket-mode"
import { EnvHttpProxyAgent } from "undici"
import { z } from "zod"
import type { Secret } from "../config/secret.ts"
import type { Log } from "../runtime/log.ts"
import { isWorthALine, restAfter } from "../runtime/loop.ts"
import { parseJson, parseWithoutNulls } from "../text/json.ts"
import { slackLogger } from "./client.ts"
import type { Intake } from "./intake.ts"
import { TOKEN_CODES, toSlackError } from "./verdict.ts"

/**
 * Slack refreshes each connection about hourly; while one is away the other takes what comes. They
 * are opened at different times, so that Slack does not refresh all of them at once.
 */
const CONNECTIONS = 2
/** Without any connection for this long, start afresh, ms. */
const WATCHDOG_MS = 120_000

const slackEvent = z.object({
  body: z.unknown(),
  ack: z.custom<(response?: unknown) => Promise<void>>((value) => typeof value === "function"),
})

interface SocketReceiverOptions {
  appToken: Secret
  apiUrl: string
  intake: Intake
  log: Log
  /** Between the openings of two connections, ms. */
  apartMs: number
  /** The process should end, so that its supervisor starts it afresh. */
  onDead(reason: string): void
}

/**
 * Socket Mode for Bolt, over several connections; each payload arrives on any one of them. The library
 * connects; coming back is done here: version 3.1 of it waits 5 s and more each time, and gives up with
 * nobody told when Slack answers 429 or 500.
 */
export class SocketReceiver implements Receiver {
  readonly #options: SocketReceiverOptions
  readonly #clients: SocketModeClient[]
  readonly #connected = new Set<SocketModeClient>()
  readonly #stopping = new AbortController()
  #kept: Promise<void>[] = []
  /** Runs while there is no connection. */
  #watchdog: NodeJS.Timeout | undefined
  /** Since when no connection is left, by `performance.now()`. */
  #lostAt: number | undefined

  constructor(options: SocketReceiverOptions) {
    this.#options = options
    this.#clients = Array.from({ length: CONNECTIONS }, () => this.#createClient())
  }

  get connected(): boolean {
    return this.#connected.size > 0
  }

  init(app: App): void {
    this.#options.intake.init(app)
  }

  /**
   * Resolves with the first connection, however long Slack is away; the others follow.
   * @throws SlackError when Slack refuses the app token
   */
  async start(): Promise<void> {
    this.#watch()
    const [first] = this.#clients
    if (first) await this.#connect(first)
    this.#kept = this.#clients.map((client, n) => this.#keep(client, n * this.#options.apartMs))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#watchdog)
    await Promise.allSettled(this.#clients.map((client) => client.disconnect()))
    await Promise.allSettled(this.#kept)
  }

  #createClient(): SocketModeClient {
    const { appToken, apiUrl, log } = this.#options
    const client = new SocketModeClient({
      appToken: appToken.reveal(),
      autoReconnectEnabled: false,
      logger: slackLogger(log),
      dispatcher: new EnvHttpProxyAgent(),
      clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, timeout: 10_000 },
    })
    understandNotices(client)
    client.on("connected", () => this.#changed(() => this.#connected.add(client)))
    for (const event of ["close", "disconnected", "disconnecting"])
      client.on(event, () => this.#changed(() => this.#connected.delete(client)))
    client.on("slack_event", (event: unknown) => void this.#take(event))
    return client
  }

  /** Resolves when it is connected, or stopped. @throws SlackError when Slack refuses the app token */
  async #connect(client: SocketModeClient): Promise<void> {
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        await client.start()
        if (this.#stopping.signal.aborted) await client.disconnect()
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
  async #keep(client: SocketModeClient, afterMs: number): Promise<void> {
    const { signal } = this.#stopping
    await this.#rest(afterMs)
    while (!signal.aborted) {
      if (this.#connected.has(client))
        await new Promise((resolve) => client.once("disconnected", resolve))
      // A refused token may be taken again; if it is not, the process ends for want of a connection.
      else await this.#connect(client).catch(() => this.#rest(restAfter(Infinity)))
    }
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  async #take(event: unknown): Promise<void> {
    const { body, ack } = slackEvent.parse(event)
    const payload = parseWithoutNulls(JSON.stringify(body))
    await this.#options.intake.take(payload, async (result) => {
      // Not acknowledging is Socket Mode's way to be sent it again.
      if (result.kind === "failed") return
      const response = result.kind === "acked" ? result.body : undefined
      await ack(typeof response === "string" ? { text: response } : response).catch((error) =>
        this.#options.log.warn({ error }, "an answer came too late for its socket"),
      )
    })
  }

  /** An operator hears when nothing can come in any more, and when it can again. */
  #changed(change: () => void): void {
    change()
    this.#watch()
    if (this.#stopping.signal.aborted) return
    const { log } = this.#options
    if (!this.connected) {
      if (this.#lostAt === undefined) log.warn("Socket Mode is disconnected")
      this.#lostAt ??= performance.now()
    } else if (this.#lostAt !== undefined) {
      const ms = Math.round(performance.now() - this.#lostAt)
      log.info({ ms }, "Socket Mode is connected again")
      this.#lostAt = undefined
    }
  }

  /** Counts from the moment the last connection was lost. */
  #watch(): void {
    if (this.connected || this.#stopping.signal.aborted) {
      clearTimeout(this.#watchdog)
      this.#watchdog = undefined
      return
    }
    this.#watchdog ??= setTimeout(
      () => this.#options.onDead("no Socket Mode connection for two minutes"),
      WATCHDOG_MS,
    ).unref()
  }
}

const NOTICE = "app_rate_limited"
const notice = z.looseObject({ payload: z.object({ type: z.literal(NOTICE) }) })

/**
 * Slack's notice that it leaves out events comes in the envelope of an event, without one. Version
 * 3.1 of the library rejects on it, with nobody to catch that; here it is handed on under its own
 * type.
 */
function understandNotices(client: SocketModeClient): void {
  const handlers = client.listeners("ws_message")
  client.removeAllListeners("ws_message")
  client.on("ws_message", (data: unknown, isBinary: unknown) => {
    // Nearly everything is something else, and is parsed by the library alone.
    const isNotice = typeof data === "string" && data.includes(NOTICE)
    const envelope = isNotice ? notice.safeParse(parseJson(data)).data : undefined
    const understood = envelope ? JSON.stringify({ ...envelope, type: NOTICE }) : data
    for (const handler of handlers) handler.call(client, understood, isBinary)
  })
}
