import { setTimeout as delay } from "node:timers/promises"
import { SocketModeClient, type SocketModeOptions } from "@slack/socket-mode"
import { EnvHttpProxyAgent } from "undici"
import { withoutNulls } from "../lib/json.ts"
import type { Log } from "../lib/log.ts"
import { isWorthALine, restAfter } from "../lib/loop.ts"
import type { Secret } from "../lib/secrets.ts"
import { raceAbort } from "../lib/time.ts"
import { slackLogger } from "./client.ts"
import type { Intake } from "./intake.ts"
import { APP_TOKEN_CODES, toSlackError } from "./slack-error.ts"

/** Number of connections: Slack refreshes each about hourly, while the other one receives. */
const CONNECTIONS = 2
/** Maximum time in ms without any connection before the process restarts. */
const WATCHDOG_MS = 120_000
/** Time in ms after which Slack no longer waits for the answer to a payload. */
const ANSWER_MS = 3000

/** Payload as `@slack/socket-mode` emits it. */
interface SlackEvent {
  body: object
  ack: (response?: unknown) => Promise<void>
}

/**
 * Client that survives a payload without an inner event, such as `app_rate_limited`: version 3.1 of
 * the library throws there, and nothing else catches that.
 */
class Client extends SocketModeClient {
  readonly #log: Log

  constructor(log: Log, options: SocketModeOptions) {
    super(options)
    this.#log = log
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean) {
    await super
      .onWebSocketMessage(data, isBinary)
      .catch((error: unknown) => this.#log.warn({ error }, "skipped a payload from Slack"))
  }
}

interface SocketReceiverOptions {
  appToken: Secret
  apiUrl: string
  intake: Intake
  log: Log
  /** Gap in ms between opening two connections, so that Slack does not refresh both at once. */
  apartMs: number
  /** Ends the process, so that its supervisor restarts it. */
  onDead: (reason: string) => void
}

/**
 * Receives Socket Mode payloads for Bolt; each arrives on only one of the connections. This module
 * reconnects itself: version 3.1 of the library waits 5 s or more, and gives up if Slack answers
 * 429 or 500.
 */
export class SocketReceiver {
  readonly init: Intake["init"]
  readonly #options: SocketReceiverOptions
  readonly #connected = new Set<SocketModeClient>()
  readonly #unanswered = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #clients: SocketModeClient[]
  #keeping: Promise<void>[] = []
  #watchdog: NodeJS.Timeout | undefined
  /** Time when the last connection was lost, by `performance.now()`; undefined if there is one. */
  #lostAt: number | undefined

  constructor(options: SocketReceiverOptions) {
    this.#options = options
    this.init = options.intake.init
    this.#clients = Array.from({ length: CONNECTIONS }, () => this.#createClient())
  }

  /** Opens the first connection. @throws SlackError if Slack rejects the app token */
  async start(): Promise<void> {
    this.#watch()
    const [first] = this.#clients
    if (first) await this.#connect(first)
    this.#keeping = this.#clients.map((client, n) => this.#keep(client, n * this.#options.apartMs))
  }

  /** Answers what has come in, which goes only over its own connection, then disconnects. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#watchdog)
    await raceAbort(this.#answered(), AbortSignal.timeout(ANSWER_MS), undefined)
    await Promise.allSettled(this.#clients.map((client) => client.disconnect()))
    await Promise.allSettled(this.#keeping)
  }

  isConnected(): boolean {
    return this.#connected.size > 0
  }

  #createClient(): SocketModeClient {
    const { appToken, apiUrl, log } = this.#options
    const client = new Client(log, {
      appToken: appToken.reveal(),
      autoReconnectEnabled: false,
      logger: slackLogger(log),
      dispatcher: new EnvHttpProxyAgent(),
      clientOptions: { slackApiUrl: apiUrl, retryConfig: { retries: 0 }, timeout: 10_000 },
    })
    client.on("connected", () => {
      this.#connected.add(client)
      this.#connectionsChanged()
    })
    for (const event of ["close", "disconnected", "disconnecting"])
      client.on(event, () => this.#connected.delete(client) && this.#connectionsChanged())
    client.on("slack_event", (event: SlackEvent) => void this.#take(event))
    return client
  }

  #connectionsChanged(): void {
    const { log } = this.#options
    if (this.isConnected()) {
      clearTimeout(this.#watchdog)
      if (this.#lostAt !== undefined)
        log.info(
          { ms: Math.round(performance.now() - this.#lostAt) },
          "Socket Mode is connected again",
        )
      this.#lostAt = undefined
    } else if (!this.#stopping.signal.aborted) {
      log.warn("Socket Mode is disconnected")
      this.#lostAt = performance.now()
      this.#watch()
    }
  }

  #watch(): void {
    const die = () => this.#options.onDead("no Socket Mode connection for two minutes")
    this.#watchdog = setTimeout(die, WATCHDOG_MS).unref()
  }

  /** Connects, unless the receiver stops first. @throws SlackError if Slack rejects the token */
  async #connect(client: SocketModeClient): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await client.start()
        if (signal.aborted) await client.disconnect()
        return
      } catch (cause) {
        const error = toSlackError("apps.connections.open", cause)
        if (APP_TOKEN_CODES.has(error.code)) throw error
        if (isWorthALine(failures))
          this.#options.log.warn({ error, failures }, "no Socket Mode connection; retrying")
        await this.#rest(error.retryAfterMs ?? restAfter(failures))
      }
    }
  }

  async #keep(client: SocketModeClient, afterMs: number): Promise<void> {
    await this.#rest(afterMs)
    while (!this.#stopping.signal.aborted) {
      if (this.#connected.has(client))
        await new Promise((resolve) => client.once("disconnected", resolve))
      // Slack may accept a refused token again later; if not, the watchdog ends the process.
      else await this.#connect(client).catch(() => this.#rest(restAfter(Infinity)))
    }
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  /** Resolves once nothing that came in, meanwhile either, waits for its answer. */
  async #answered(): Promise<void> {
    while (this.#unanswered.size > 0) await Promise.all(this.#unanswered)
  }

  async #take({ body, ack }: SlackEvent): Promise<void> {
    const { intake, log } = this.#options
    const answering = new Promise<void>((resolve) => {
      void intake.take(withoutNulls(body), async (result) => {
        // Slack sends an unacknowledged Socket Mode payload again.
        if (result.kind !== "failed")
          await ack(result.kind === "acked" ? result.body : undefined).catch((error) =>
            log.warn({ error }, "ack dropped: socket already closed"),
          )
        resolve()
      })
    })
    this.#unanswered.add(answering)
    await answering
    this.#unanswered.delete(answering)
  }
}
