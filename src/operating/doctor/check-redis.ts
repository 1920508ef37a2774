import { once } from "node:events"
import { Cluster } from "ioredis"
import type { Config } from "../../config/config.ts"
import { faultNotice } from "../../messages/admin-notices.ts"
import { currentTime, type RedisClient } from "../../store/script.ts"
import {
  awayReason,
  awayRemedy,
  causeOf,
  readServerFacts,
  type ServerFacts,
  tryWriting,
  whyUnusable,
} from "../../store/server-state.ts"
import { about, type Finding, findingOf } from "./finding.ts"

const TRY_OUT = "OK for a trial. In production, set REDIS_URL."

/** Clock difference in ms that is a fault: no host with a time service is off by this much. */
const MAX_SKEW_MS = 60_000

/** Maximum wait in ms for a connection, longer than the client's own limits. */
const CONNECT_MS = 6000

const { ok, warning, fault } = about("redis")
const data = about("redis persistence")

/** Finding about a Redis whose INFO says nothing, to everybody or to this user. */
const SILENT = data.warning(
  "Redis doesn't answer INFO: Docs Agent can't tell whether it is nearly full, and may lose requests if it is",
  "Allow the Redis user in REDIS_URL to run INFO. Until then, check that persistence is on, and that the eviction policy is noeviction.",
)

type About = Pick<Config, "store" | "isInContainer">

/** Finding about the bot's own redis-server, which is meant for production in a container's volume. */
export function ownRedis(says: string, { isInContainer }: Pick<Config, "isInContainer">): Finding {
  return isInContainer ? ok(says) : warning(says, TRY_OUT)
}

/** Checks Redis's version, a write, persistence, eviction and the clock. Never throws. */
export async function checkRedis(redis: RedisClient, config: About): Promise<Finding[]> {
  try {
    // Without a connection, a command fails with "too many retries"; only the event says why.
    if (redis.status !== "ready")
      await once(redis, "ready", { signal: AbortSignal.timeout(CONNECT_MS) }).catch(
        (error: unknown) => throwReply(redis, error),
      )
    const servers = await readServerFacts(redis)
    const unusable = await whyUnusable(redis, servers)
    if (unusable) return [fault(unusable.says, unusable.next)]
    await tryWriting(redis)
    const clock = checkClock(await readSkew(redis))
    return [describeServer(servers, config), ...checkRoom(servers), ...checkData(servers), clock]
  } catch (error) {
    return [storeFault(error)]
  }
}

/** Lists what would lose requests or mix up times although this Redis works, as far as it says so. */
export async function redisInDoubt(redis: RedisClient): Promise<Finding[]> {
  const servers = await readServerFacts(redis)
  const clock = checkClock(await readSkew(redis))
  return [...risksOf(servers), ...(clock.level === "ok" ? [] : [clock])]
}

/** Throws the error reply of a server that is connected but not ready, such as one that loads. */
async function throwReply(redis: RedisClient, otherwise: unknown): Promise<never> {
  if (redis instanceof Cluster) throw otherwise
  const direct = redis.duplicate({ enableReadyCheck: false, retryStrategy: () => null })
  direct.on("error", () => {})
  const reply = await direct.ping().catch((error: unknown) => error)
  direct.disconnect()
  throw reply instanceof Error && reply.name === "ReplyError" ? reply : otherwise
}

/** Turns a failed command into a finding that says what to do. */
export function storeFault(error: unknown): Finding {
  const cause = causeOf(error)
  const did = cause.name === "ReplyError" ? "rejected a command" : "isn't responding"
  return fault(awayReason(cause, `Redis ${did} (${cause.message})`), awayRemedy(cause))
}

function describeServer(servers: readonly ServerFacts[], config: About): Finding {
  const versions = [...new Set(servers.flatMap(({ version }) => version ?? []))]
  const says = `Redis ${versions.join(", ") || "(unknown version)"} is running`
  if (config.store.kind !== "embedded") return ok(says)
  return ownRedis(`${says} (started by Docs Agent: REDIS_URL isn't set)`, config)
}

function checkRoom(servers: readonly ServerFacts[]): Finding[] {
  const isFull = servers.some(({ isNearlyFull }) => isNearlyFull)
  return isFull ? [findingOf("redis memory", faultNotice("redis_full", {}))] : []
}

/** Lists the settings that could lose jobs. */
function risksOf(servers: readonly ServerFacts[]): Finding[] {
  if (servers.some(({ version }) => version === undefined)) return [SILENT]
  const unsaved = data.warning(
    "Redis's append-only file is off: a restart can lose queued requests and the hourly count",
    'Set "appendonly yes" (with "appendfsync everysec") in Redis, or turn on persistence with your Redis provider.',
  )
  const policies = servers.flatMap(({ evictionPolicy }) => evictionPolicy ?? [])
  const evicting = policies.find((policy) => policy !== "noeviction")
  // A fault, because the bot can't notice that single keys are gone, such as a queued request.
  const evicted = data.fault(
    `Redis may drop queued requests when its memory is full (maxmemory-policy ${evicting})`,
    'Set "maxmemory-policy noeviction" in Redis.',
  )
  const isUnsaved = servers.some(({ appendOnly }) => appendOnly === false)
  return [...(isUnsaved ? [unsaved] : []), ...(evicting ? [evicted] : [])]
}

function checkData(servers: readonly ServerFacts[]): Finding[] {
  const risks = risksOf(servers)
  if (risks.length > 0) return risks
  const hidden = servers.some((s) => s.appendOnly === undefined || s.evictionPolicy === undefined)
  if (!hidden) return [data.ok("Redis persistence and eviction settings are safe")]
  return [
    data.warning(
      "Couldn't read Redis's persistence and eviction settings",
      "Check both with your Redis provider: persistence must be on, and the eviction policy must be noeviction.",
    ),
  ]
}

/** Measures how far Redis's clock is ahead of this process's, in ms. */
async function readSkew(redis: RedisClient): Promise<number> {
  const before = Date.now()
  const now = await currentTime({ redis })
  // Redis reads its clock about in the middle of the round trip.
  return now - (before + Date.now()) / 2
}

export function checkClock(skewMs: number): Finding {
  const clock = about("clock")
  const off = Math.abs(skewMs)
  if (off < MAX_SKEW_MS) return clock.ok("Redis's clock and Docs Agent's agree")
  const side = skewMs > 0 ? "ahead of" : "behind"
  const says = `Redis's clock is ${(off / 1000).toFixed(1)} s ${side} Docs Agent's`
  const next = "Turn on time synchronization (NTP) where Docs Agent runs and where Redis runs."
  return clock.fault(says, next)
}
