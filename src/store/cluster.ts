import { Cluster, type ClusterOptions, type RedisOptions } from "ioredis"

type Sending = Parameters<Cluster["sendCommand"]>

/** The way to ask one node, and the wait before all are tried again. */
interface NodeOptions
  extends Pick<RedisOptions, "connectTimeout" | "socketTimeout" | "reconnectOnError"> {
  /** Limit of a command, ms; absent: it waits. */
  commandTimeout?: number
  maxRetriesPerRequest: number | null
  retryStrategy: (times: number) => number
}

export interface OutageListener {
  away(error: Error): void
  back(): void
}

/**
 * ioredis' cluster, held to what one connection promises: a command with a time limit ends within it
 * also while no node can be asked, and one without a limit waits for a new primary instead of being
 * given up after the sixteenth redirection. And it tells when a node goes away, which ioredis does
 * only when all have gone.
 */
export class BotCluster extends Cluster {
  readonly #commandMs: number | undefined
  readonly #listener: OutageListener
  #away = false

  constructor(
    addresses: readonly string[],
    { retryStrategy, ...node }: NodeOptions,
    listener: OutageListener,
  ) {
    super([...addresses], {
      redisOptions: { ...node, ...accessOf(addresses) },
      clusterRetryStrategy: retryStrategy,
      // A certificate is made out to the name, so names stay names.
      dnsLookup: (name, found) => found(null, name),
      // Without it a cluster that is down says so itself; with it ioredis only tries again, silently.
      enableReadyCheck: false,
      ...(node.commandTimeout === undefined ? WAITING : IMPATIENT),
    })
    this.#commandMs = node.commandTimeout
    this.#listener = listener
    this.on("error", (error: Error) => this.#lost(error))
    this.on("node error", (error: Error) => this.#lost(error))
  }

  override sendCommand(...[command, stream, node]: Sending): unknown {
    if (this.#commandMs !== undefined) command.setTimeout(this.#commandMs)
    // Any node answers a question about the cluster; only the one with the bot's keys counts.
    if (this.#away && command.name !== "cluster")
      command.promise.then(
        () => this.#found(),
        () => {},
      )
    return super.sendCommand(command, stream, node)
  }

  #lost(error: Error): void {
    if (!this.#away) this.#listener.away(error)
    this.#away = true
  }

  #found(): void {
    if (this.#away) this.#listener.back()
    this.#away = false
  }
}

/** Says at once that the cluster is down: whoever asks waits for an answer. */
const IMPATIENT = { retryDelayOnClusterDown: 0 } satisfies ClusterOptions

/** The pause keeps two nodes that send it to each other from being asked in a tight circle, ms. */
const WAITING = {
  maxRedirections: Number.POSITIVE_INFINITY,
  retryDelayOnMoved: 20,
} satisfies ClusterOptions

/**
 * User, password and TLS for every node: ioredis would use them only for the nodes that are named,
 * but a cluster names others on its own, at the latest after a failover.
 */
export function accessOf(
  addresses: readonly string[],
): Pick<RedisOptions, "username" | "password" | "tls"> {
  const urls = addresses.flatMap((address) => (URL.canParse(address) ? new URL(address) : []))
  const { username = "", password = "" } = urls.find((url) => url.password !== "") ?? {}
  return {
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    ...(urls.some(({ protocol }) => protocol === "rediss:") ? { tls: {} } : {}),
  }
}
