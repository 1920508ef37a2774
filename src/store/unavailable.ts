import { key } from "./redis-keys.ts"
import type { RedisClient } from "./script.ts"

/** Returns whether Redis is down, full or busy. Redis 6 puts a script's error after a dash. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === "MaxRetriesPerRequestError" || AWAY.test(error.message)
}

const AWAY =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection is closed|Command timed out|READONLY|(^|-)OOM|LOADING|NOAUTH|WRONGPASS|MASTERDOWN|CLUSTERDOWN|MISCONF|BUSY|TRYAGAIN|non local key|Too many Cluster|refresh slots cache|startup nodes|Stream isn't writeable/

/** Matches the replies of a Redis that answers but accepts no writes. */
export const NO_WRITES = /(^|-)(READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN)/

export function awayReason(error: unknown, otherwise = "Redis isn't responding"): string {
  const message = error instanceof Error ? error.message : ""
  return REASONS.find(([says]) => says.test(message))?.[1] ?? otherwise
}

const REASONS: readonly [RegExp, string][] = [
  [/(^|-)READONLY/, "Redis is read-only: it's a replica, or its disk is full"],
  [/(^|-)OOM/, "Redis is out of memory: raise its maxmemory"],
  [/(^|-)MISCONF/, "Redis can't save to its disk and rejects writes; see its log"],
  [/^LOADING/, "Redis is still loading its data"],
  [/^BUSY /, "Redis is busy with a script"],
  [/^(NOAUTH|WRONGPASS)/, "Redis rejected the user or password in REDIS_URL"],
  [/^NOPERM/, "The Redis user in REDIS_URL lacks a permission"],
  [/^CLUSTERDOWN/, "Redis Cluster has no working primary for some keys; see CLUSTER INFO"],
  [/^MASTERDOWN/, "Redis has no working primary"],
  [/^Unknown RESP type/, "The server in REDIS_URL isn't Redis"],
]

/** Fails if Redis rejects writes. PING succeeds on a full Redis and a replica. */
export async function tryWriting(redis: RedisClient): Promise<void> {
  await redis.set(key("ready"), "1", "PX", 60_000)
}
