import { Redis, type RedisOptions } from "ioredis"
import type { StoreConfig } from "../config/config.ts"
import type { Log } from "../runtime/log.ts"
import { takesNoWrites } from "./away.ts"
import { BotCluster, type OutageListener } from "./cluster.ts"
import type { RedisClient } from "./script.ts"

/**
 * The client for Slack handlers: an answer within 3 s or an error, never a command that hangs until Redis is
 * back. It may still run later, so every script behind it is idempotent.
 */
const FAIL_FAST = {
  maxRetriesPerRequest: 1,
  commandTimeout: 2000,
  connectTimeout: 3000,
  // A network that swallows everything closes no connection: without this each command would wait on
  // the dead one until the operating system gives it up.
  socketTimeout: 5000,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, 1000),
  // After a failover the old primary answers READONLY: look for the new one, and say so meanwhile.
  reconnectOnError: (error: Error) => (error.message.startsWith("READONLY") ? 1 : false),
} satisfies RedisOptions

/**
 * The client for the worker: waits as long as Redis takes, also for one that answers but takes no writes. Such a
 * command is sent again over a fresh connection; giving it up would lose what the worker just did.
 */
const BLOCKING = {
  maxRetriesPerRequest: null,
  connectTimeout: 5000,
  socketTimeout: 10_000,
  retryStrategy: (times: number) => Math.min(50 * 2 ** times, 2000) + Math.random() * 200,
  reconnectOnError: (error: Error) => (takesNoWrites(error) ? 2 : false),
} satisfies RedisOptions

export type Address = Exclude<StoreConfig, { kind: "embedded" }> | { kind: "socket"; path: string }

/** One connection (or pool, for a cluster) that logs an outage once, not once per attempt. */
export function connectRedis(address: Address, kind: "requests" | "worker", log: Log): RedisClient {
  const options = kind === "requests" ? FAIL_FAST : BLOCKING
  const listener: OutageListener = {
    away: (error) => log.error({ store: kind, error }, "Redis is unreachable"),
    back: () => log.info({ store: kind }, "Redis is reachable again"),
  }
  if (address.kind === "cluster")
    return new BotCluster(
      address.urls.map((url) => url.reveal()),
      options,
      listener,
    )
  const client = open(address, options)
  let away = false
  client.on("error", (error: Error) => {
    if (!away) listener.away(error)
    away = true
    // The client would go on in database 0, which may be another bot's.
    if (/DB index is out of range/.test(error.message)) client.disconnect()
  })
  client.on("ready", () => {
    if (away) listener.back()
    away = false
  })
  return client
}

function open(
  address: Exclude<Address, { kind: "cluster" }>,
  options: typeof FAIL_FAST | typeof BLOCKING,
): Redis {
  if (address.kind === "socket") return new Redis({ ...options, path: address.path })
  const url = address.url.reveal()
  return /^rediss?:/.test(url)
    ? new Redis(url, options)
    : new Redis({ ...options, path: url.replace(/^unix:(\/\/)?/, "") })
}

/**
 * Calls back whenever Redis may have forgotten something: after each connect, and in a cluster after
 * each look at who holds what, which every failover causes.
 */
export function whenBack(redis: RedisClient, callback: () => void): void {
  redis.on(redis instanceof BotCluster ? "refresh" : "ready", callback)
}
