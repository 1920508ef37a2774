import type { App, Receiver } from "@slack/bolt"
import { SocketModeClient } from "@slack/socket-mode"
import { z } from "zod"
import type { Secret } from "../config/secret.ts"
import type { Log } from "../runtime/log.ts"
import { slackLogger } from "./client.ts"
import type { PayloadProcessor } from "./payload-processor.ts"

/** Slack refreshes each connection about hourly and leaves a hole of some 5 s; the other one covers it. */
const CONNECTIONS = 2
/** Without any connection for this long the library has given up, which it can: start afresh, ms. */
const WATCHDOG_MS = 120_000

/** The library's own retries grow without end after a long outage. */
const RETRIES = { forever: true, minTimeout: 1000, factor: 1.5, maxTimeout: 15_000 }

const slackEvent = z.object({
  body: z.unknown(),
  ack: z.custom<(response?: unknown) => Promise<void>>((value) => typeof value === "function"),
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
})

export interface SocketReceiverOptions {
  appToken: Secret
  apiUrl: string
  processor: PayloadProcessor
  log: Log
  /** The process should end, so that its supervisor starts it afresh. */
  onDead(reason: string): void
}

/** Socket Mode for Bolt, over several connections; each payload arrives on any one of them. */
export class SocketReceiver implements Receiver {
  readonly #options: SocketReceiverOptions
  readonly #clients: SocketModeClient[]
  readonly #connected = new Set<SocketModeClient>()
  #watchdog: NodeJS.Timeout | undefined
  #stopping = false

  constructor(options: SocketReceiverOptions) {
    this.#options = options
    this.#clients = Array.from({ length: CONNECTIONS }, () => this.#client())
  }

  get connected(): boolean {
    return this.#connected.size > 0
  }

  init(app: App): void {
    this.#options.processor.init(app)
  }

  async start(): Promise<void> {
    this.#watch()
    await Promise.all(this.#clients.map((client) => client.start()))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#watchdog)
    await Promise.allSettled(this.#clients.map((client) => client.disconnect()))
  }

  #client(): SocketModeClient {
    const { appToken, apiUrl, log } = this.#options
    const client = new SocketModeClient({
      appToken: appToken.reveal(),
      logger: slackLogger(log),
      clientOptions: { slackApiUrl: apiUrl, retryConfig: { ...RETRIES }, timeout: 10_000 },
    })
    client.on("connected", () => {
      this.#connected.add(client)
      clearTimeout(this.#watchdog)
    })
    // After a `close` the library waits 5 s and more before it is `reconnecting`.
    for (const event of ["close", "disconnected", "reconnecting", "disconnecting"])
      client.on(event, () => {
        this.#connected.delete(client)
        if (!this.connected) this.#watch()
      })
    client.on("slack_event", (event: unknown) => void this.#take(event))
    return client
  }

  async #take(event: unknown): Promise<void> {
    const { body, ack, retry_num: num, retry_reason: reason } = slackEvent.parse(event)
    const retry = { ...(num === undefined ? {} : { num }), ...(reason ? { reason } : {}) }
    await this.#options.processor.take(body, retry, async (result) => {
      // Not acknowledging is Socket Mode's way to be sent it again.
      if (result.kind === "failed") return
      const response = result.kind === "acked" ? result.body : undefined
      await ack(typeof response === "string" ? { text: response } : response).catch((error) =>
        this.#options.log.warn({ error }, "an answer came too late for its socket"),
      )
    })
  }

  #watch(): void {
    clearTimeout(this.#watchdog)
    if (this.#stopping) return
    this.#watchdog = setTimeout(
      () => this.#options.onDead("no Socket Mode connection for two minutes"),
      WATCHDOG_MS,
    ).unref()
  }
}
