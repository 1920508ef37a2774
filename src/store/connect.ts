import { Cluster, type ClusterOptions, Redis, type RedisOptions } from "ioredis"
import type { Log } from "../lib/log.ts"
import type { Secret } from "../lib/secrets.ts"
import type { RedisClient } from "./script.ts"
import { awayReason, awayRemedy, NO_WRITES, tryWriting } from "./server-state.ts"

/**
 * Options of the client for Slack handlers: a command ends within 2 s with an answer or an error
 * and never hangs until Redis is back. Redis may still run it later, so every script is idempotent.
 */
const FAIL_FAST = {
  maxRetriesPerRequest: 1,
  commandTimeout: 2000,
  connectTimeout: 3000,
  // A network that drops all packets closes no connection. Without this each command would wait on
  // the dead connection until the operating system gives up on it.
  socketTimeout: 5000,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, 1000),
  // After a failover the old primary answers READONLY, so the client reconnects to find the new one
  // and reports the error meanwhile.
  reconnectOnError: (error: Error) => (/(^|-)READONLY/.test(error.message) ? 1 : false),
} satisfies RedisOptions

/**
 * Options of the worker's client: it waits as long as Redis takes, even for one that answers but
 * accepts no writes. Giving up on such a command would lose the worker's last step.
 */
const BLOCKING = {
  maxRetriesPerRequest: null,
  connectTimeout: 5000,
  socketTimeout: 10_000,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, 2000) + Math.random() * 200,
} satisfies RedisOptions

/** Redis to connect to. */
export type Address = { kind: "server"; url: Secret } | { kind: "cluster"; urls: readonly Secret[] }

/** Interval in ms at which an outage is logged, instead of at each attempt to connect. */
const SAY_AGAIN_MS = 60_000

/** Logs that Redis is away, once in a while, and that it is back. */
function outageReport(kind: "requests" | "worker", log: Log) {
  let isAway = false
  let isTrying = false
  let saidAt = Number.NEGATIVE_INFINITY

  function sayBack(): void {
    if (isAway) log.info({ store: kind }, "Redis is back")
    isAway = false
  }

  function sayAway(error: Error): void {
    if (isAway && performance.now() - saidAt < SAY_AGAIN_MS) return
    isAway = true
    saidAt = performance.now()
    const isReply = error.name === "ReplyError"
    const reason = awayReason(error, isReply ? "Redis rejected the connection" : undefined)
    log.error({ store: kind, error, next: awayRemedy(error) }, reason)
  }

  /** Says that Redis is back, once a client that has connected is of use. */
  async function connected(client: RedisClient): Promise<void> {
    if (kind === "requests") return sayBack()
    if (isTrying) return
    isTrying = true
    // A Redis that is full accepts connections, too. The worker's client reports that, and waits
    // with this write until it is accepted.
    await tryWriting(client).then(sayBack, () => {})
    isTrying = false
  }

  return { sayAway, connected }
}

/** Opens a connection (a pool for a cluster) that logs why it fails. */
export function connectRedis(address: Address, kind: "requests" | "worker", log: Log): RedisClient {
  const { sayAway, connected } = outageReport(kind, log)
  // Sends a rejected write again over a new connection. No command fails, so only this line shows it.
  const waitForWrites = (error: Error) => {
    if (!NO_WRITES.test(error.message)) return false
    sayAway(error)
    return 2
  }
  const options = kind === "requests" ? FAIL_FAST : { ...BLOCKING, reconnectOnError: waitForWrites }
  if (address.kind === "cluster") {
    const urls = address.urls.map((url) => url.reveal())
    // The client reports only the loss of all nodes as its own error.
    const client = new BotCluster(urls, options).on("error", sayAway).on("node error", sayAway)
    return client.on("ready", () => void connected(client))
  }
  const url = address.url.reveal()
  const client = /^rediss?:/.test(url)
    ? new Redis(url, options)
    : new Redis({ ...options, path: url.replace(/^unix:(\/\/)?/, "") })
  client.on("ready", () => void connected(client))
  client.on("error", (error: Error) => {
    sayAway(error)
    // The client would continue in database 0, which may belong to another bot.
    if (/DB index is out of range/.test(error.message)) client.disconnect()
  })
  return client
}

type Sending = Parameters<Cluster["sendCommand"]>

interface NodeOptions
  extends Pick<RedisOptions, "connectTimeout" | "socketTimeout" | "reconnectOnError"> {
  commandTimeout?: number
  maxRetriesPerRequest: number | null
  retryStrategy: (times: number) => number
}

/**
 * Makes ioredis's cluster client behave like a single connection. A command with a time limit ends
 * within it even if no node answers; one without a limit waits for a new primary, while ioredis
 * gives up after the sixteenth redirection.
 */
class BotCluster extends Cluster {
  readonly #commandMs: number | undefined

  constructor(addresses: readonly string[], { retryStrategy, ...node }: NodeOptions) {
    super([...addresses], {
      redisOptions: { ...node, ...accessOf(addresses) },
      clusterRetryStrategy: retryStrategy,
      // TLS certificates name the host, so the client must not resolve host names.
      dnsLookup: (name, found) => found(null, name),
      // Without the check, commands to a cluster that is down fail; with it, ioredis retries them.
      enableReadyCheck: false,
      ...(node.commandTimeout === undefined ? WAITING : IMPATIENT),
    })
    this.#commandMs = node.commandTimeout
  }

  override sendCommand(...[command, stream, node]: Sending): unknown {
    if (this.#commandMs !== undefined) command.setTimeout(this.#commandMs)
    return super.sendCommand(command, stream, node)
  }
}

/** Options for Slack handlers: report at once that the cluster is down, because a person waits. */
const IMPATIENT = { retryDelayOnClusterDown: 0 } satisfies ClusterOptions

/** Options for the worker. The delay prevents a tight loop if two nodes redirect to each other. */
const WAITING = {
  maxRedirections: Number.POSITIVE_INFINITY,
  retryDelayOnMoved: 20,
} satisfies ClusterOptions

/**
 * Returns user, password and TLS for every node. ioredis would use them only for the configured
 * nodes, but a cluster names others, for example after a failover.
 */
export function accessOf(addresses: readonly string[]) {
  const urls = addresses.flatMap((address) => (URL.canParse(address) ? new URL(address) : []))
  const { username = "", password = "" } = urls.find((url) => url.password !== "") ?? {}
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(urls.some(({ protocol }) => protocol === "rediss:") ? { tls: {} } : {}),
  }
}
