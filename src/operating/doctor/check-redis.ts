import { once } from "node:events"
import { Cluster } from "ioredis"
import type { Config } from "../../config/config.ts"
import { faultNotice } from "../../messages/admin-notices.ts"
import { currentTime, type RedisClient } from "../../store/script.ts"
import {
  awayReason,
  NO_WRITES,
  readServerFacts,
  replyOf,
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
    const before = Date.now()
    const now = await currentTime({ redis })
    // Redis reads its clock about in the middle of the round trip.
    const skewMs = now - (before + Date.now()) / 2
    const server = describeServer(servers, config)
    return [server, ...checkRoom(servers), ...checkData(servers), checkClock(skewMs)]
  } catch (error) {
    return [storeFault(error)]
  }
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
  const [did, otherwise] =
    cause.name === "ReplyError"
      ? ["rejected a command", "Check Redis's log, then run the doctor again."]
      : ["isn't responding", "Start Redis, or correct the address in REDIS_URL."]
  const known = NEXT.find(([pattern]) => pattern.test(cause.message))
  return fault(awayReason(cause, `Redis ${did} (${cause.message})`), known?.[1] ?? otherwise)
}

function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error("no answer")
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return replyOf(lastNodeError instanceof Error ? lastNodeError : error)
}

const NEXT: readonly [RegExp, string][] = [
  [/WRONGPASS|NOAUTH|AUTH/, "Correct the user and password in REDIS_URL."],
  [/^MISCONF/, "Free disk space where Redis keeps its data (DATA_DIR, if Docs Agent started it)."],
  [/^LOADING/, "Wait until it has; its log shows how far it is. Then run the doctor again."],
  [/^BUSY /, "Look for what runs a long script there, and end it with SCRIPT KILL."],
  [NO_WRITES, "Fix this in Redis, or set REDIS_URL to a server that accepts writes."],
  [/cluster support disabled/, "Use a single address in REDIS_URL: a list means Redis Cluster."],
  [/NOPERM/, "Allow the Redis user to run all commands on keys that match {da}*."],
  [/DB index/, "Correct the number at the end of REDIS_URL: this server has fewer databases."],
  [/ENOTFOUND|EAI_AGAIN/, "Correct the host in REDIS_URL, or check DNS."],
  [
    /certificate/i,
    "If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the path of its CA certificate. Otherwise check the host in REDIS_URL and the certificate.",
  ],
  [/SSL|TLS/, "Check whether REDIS_URL needs rediss:// (TLS) or redis://."],
  // If only one side uses TLS, each side waits for the other's protocol or hangs up.
  [
    /timed out|ETIMEDOUT|ECONNRESET/,
    "Check the address in REDIS_URL, whether it needs rediss:// (TLS) or redis://, and any firewall in between.",
  ],
]

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

/** Checks the settings that could lose jobs. */
function checkData(servers: readonly ServerFacts[]): Finding[] {
  const data = about("redis persistence")
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
  const risks = [...(isUnsaved ? [unsaved] : []), ...(evicting ? [evicted] : [])]
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

export function checkClock(skewMs: number): Finding {
  const clock = about("clock")
  const off = Math.abs(skewMs)
  if (off < MAX_SKEW_MS) return clock.ok("Redis's clock and Docs Agent's agree")
  const side = skewMs > 0 ? "ahead of" : "behind"
  const says = `Redis's clock is ${(off / 1000).toFixed(1)} s ${side} Docs Agent's`
  const next = "Turn on time synchronization (NTP) where Docs Agent runs and where Redis runs."
  return clock.fault(says, next)
}
