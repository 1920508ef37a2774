import { setTimeout as delay } from "node:timers/promises"
import type { App, Receiver } from "@slack/bolt"
import { z } from "zod"
import type { Secret } from "../config/secret.ts"
import type { Log } from "../runtime/log.ts"
import { parseWithoutNulls } from "../text/json.ts"
import type { Intake } from "./intake.ts"
import { SocketLine } from "./socket-line.ts"

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
  retry_num: z.number().optional(),
  retry_reason: z.string().optional(),
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

/** Socket Mode for Bolt, over several connections; each payload arrives on any one of them. */
export class SocketReceiver implements Receiver {
  readonly #options: SocketReceiverOptions
  readonly #lines: SocketLine[]
  readonly #stopping = new AbortController()
  #kept: Promise<void>[] = []
  #watchdog: NodeJS.Timeout | undefined
  /** Since when no connection is left, by `performance.now()`. */
  #lostAt: number | undefined

  constructor(options: SocketReceiverOptions) {
    this.#options = options
    const { appToken, apiUrl, log } = options
    const appTokenText = appToken.reveal()
    this.#lines = Array.from({ length: CONNECTIONS }, () => {
      const onEvent = (event: unknown) => void this.#take(event)
      const onChange = () => {
        this.#tell()
        this.#watch()
      }
      return new SocketLine({ appToken: appTokenText, apiUrl, log, onEvent, onChange })
    })
  }

  get connected(): boolean {
    return this.#lines.some((line) => line.connected)
  }

  init(app: App): void {
    this.#options.intake.init(app)
  }

  /**
   * Resolves with the first connection; the others follow.
   * @throws SlackError when Slack refuses the app token
   */
  async start(): Promise<void> {
    this.#watch()
    await this.#lines[0]?.connect()
    this.#kept = this.#lines.map((line, n) => this.#keep(line, n * this.#options.apartMs))
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#watchdog)
    await Promise.allSettled(this.#lines.map((line) => line.stop()))
    await Promise.allSettled(this.#kept)
  }

  async #keep(line: SocketLine, afterMs: number): Promise<void> {
    await delay(afterMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
    if (!this.#stopping.signal.aborted) await line.keep()
  }

  async #take(event: unknown): Promise<void> {
    const { body, ack, retry_num: num, retry_reason: reason } = slackEvent.parse(event)
    const retry = { ...(num === undefined ? {} : { num }), ...(reason ? { reason } : {}) }
    const payload = parseWithoutNulls(JSON.stringify(body))
    await this.#options.intake.take(payload, retry, async (result) => {
      // Not acknowledging is Socket Mode's way to be sent it again.
      if (result.kind === "failed") return
      const response = result.kind === "acked" ? result.body : undefined
      await ack(typeof response === "string" ? { text: response } : response).catch((error) =>
        this.#options.log.warn({ error }, "an answer came too late for its socket"),
      )
    })
  }

  /** An operator hears when nothing can come in any more, and when it can again. */
  #tell(): void {
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
    if (!this.connected && this.#watchdog !== undefined) return
    clearTimeout(this.#watchdog)
    this.#watchdog = undefined
    if (this.connected || this.#stopping.signal.aborted) return
    this.#watchdog = setTimeout(
      () => this.#options.onDead("no Socket Mode connection for two minutes"),
      WATCHDOG_MS,
    ).unref()
  }
}
