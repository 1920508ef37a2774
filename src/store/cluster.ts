import { Cluster, type ClusterOptions, type RedisOptions } from "ioredis"

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
export class BotCluster extends Cluster {
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
