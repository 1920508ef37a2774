import { setTimeout as delay } from "node:timers/promises"
import { SocketModeClient } from "@slack/socket-mode"
import { EnvHttpProxyAgent } from "undici"
import type { Secret } from "../config/secret.ts"
import { InFlight } from "../lib/in-flight.ts"
import { withoutNulls } from "../lib/json.ts"
import type { Log } from "../lib/log.ts"
import { isWorthALine, restAfter } from "../lib/loop.ts"
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
export function createSocketReceiver(options: SocketReceiverOptions) {
  const { intake, log, apartMs, onDead } = options
  const connected = new Set<SocketModeClient>()
  const unanswered = new InFlight()
  const stopping = new AbortController()
  const { signal } = stopping
  const clients = Array.from({ length: CONNECTIONS }, createClient)
  let keeping: Promise<void>[] = []
  let watchdog: NodeJS.Timeout | undefined
  /** Time when the last connection was lost, by `performance.now()`; undefined if there is one. */
  let lostAt: number | undefined

  function createClient(): SocketModeClient {
    const client = new SocketModeClient({
      appToken: options.appToken.reveal(),
      autoReconnectEnabled: false,
      logger: slackLogger(log),
      dispatcher: new EnvHttpProxyAgent(),
      clientOptions: { slackApiUrl: options.apiUrl, retryConfig: { retries: 0 }, timeout: 10_000 },
    })
    client.on("connected", () => changed(connected.add(client)))
    for (const event of ["close", "disconnected", "disconnecting"])
      client.on(event, () => connected.delete(client) && changed(connected))
    client.on("slack_event", (event: SlackEvent) => void take(event))
    return client
  }

  function changed({ size }: Set<SocketModeClient>): void {
    if (size > 0) {
      clearTimeout(watchdog)
      if (lostAt !== undefined)
        log.info({ ms: Math.round(performance.now() - lostAt) }, "Socket Mode is connected again")
      lostAt = undefined
    } else if (!signal.aborted) {
      log.warn("Socket Mode is disconnected")
      lostAt = performance.now()
      watch()
    }
  }

  function watch(): void {
    const die = () => onDead("no Socket Mode connection for two minutes")
    watchdog = setTimeout(die, WATCHDOG_MS).unref()
  }

  /** Connects, unless the receiver stops first. @throws SlackError if Slack rejects the token */
  async function connect(client: SocketModeClient): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        await client.start()
        if (signal.aborted) await client.disconnect()
        return
      } catch (cause) {
        const error = toSlackError("apps.connections.open", cause)
        if (APP_TOKEN_CODES.has(error.code)) throw error
        if (isWorthALine(failures))
          log.warn({ error, failures }, "no Socket Mode connection; retrying")
        await rest(error.retryAfterMs ?? restAfter(failures))
      }
    }
  }

  async function keep(client: SocketModeClient, afterMs: number): Promise<void> {
    await rest(afterMs)
    while (!signal.aborted) {
      if (connected.has(client))
        await new Promise((resolve) => client.once("disconnected", resolve))
      // Slack may accept a refused token again later; if not, the watchdog ends the process.
      else await connect(client).catch(() => rest(restAfter(Infinity)))
    }
  }

  async function rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => {})
  }

  async function take({ body, ack }: SlackEvent): Promise<void> {
    unanswered.begin()
    await intake.take(withoutNulls(body), async (result) => {
      // Slack sends an unacknowledged Socket Mode payload again.
      if (result.kind !== "failed")
        await ack(result.kind === "acked" ? result.body : undefined).catch((error) =>
          log.warn({ error }, "ack dropped: socket already closed"),
        )
      unanswered.end()
    })
  }

  return {
    init: intake.init,

    /** Opens the first connection. @throws SlackError if Slack rejects the app token */
    async start() {
      watch()
      const [first] = clients
      if (first) await connect(first)
      keeping = clients.map((client, n) => keep(client, n * apartMs))
    },

    /** Answers what has come in, which goes only over its own connection, then disconnects. */
    async stop() {
      stopping.abort()
      clearTimeout(watchdog)
      await raceAbort(AbortSignal.timeout(ANSWER_MS), unanswered.emptied(), undefined)
      await Promise.allSettled(clients.map((client) => client.disconnect()))
      await Promise.allSettled(keeping)
    },

    isConnected: () => connected.size > 0,
  }
}
