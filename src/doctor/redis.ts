import { awayReason, takesNoWrites, tryWriting } from "../store/away.ts"
import { currentTime } from "../store/clock.ts"
import type { RedisClient } from "../store/script.ts"
import { lossRisks, readServerFacts, type ServerFacts, whyUnusable } from "../store/server-facts.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

export const TRY_OUT = "OK for a trial. In production, set REDIS_URL."

/** The bot counts the hour 5 s longer; beyond half of that, an operator should check the clocks. ms */
const SKEW_WARNING_MS = 2500
/**
 * The skew that counts as a fault, ms: Slack's signatures are valid for five minutes, and no host
 * with a time service is off by one.
 */
const SKEW_FAULT_MS = 60_000

/**
 * Asks Redis for its version, how it keeps data, and the time. Never throws.
 * @param isEmbedded true for a redis-server that the bot started
 */
export async function checkRedis(redis: RedisClient, isEmbedded: boolean): Promise<Finding[]> {
  // The client answers commands with "too many retries" or "closed" and gives the reason to listeners only.
  let lastError: Error | undefined
  const listen = (error: Error) => {
    if (!lastError || reasonOf(error) !== "Connection is closed.") lastError = error
  }
  redis.on("error", listen)
  redis.on("node error", listen)
  try {
    const servers = await readServerFacts(redis)
    const unusable = await whyUnusable(redis, servers)
    if (unusable) return [fault("redis", unusable.says, unusable.next)]
    await tryWriting(redis)
    const before = Date.now()
    const now = await currentTime({ redis, now: undefined })
    // Redis reads its clock about in the middle of the round trip.
    const skewMs = now - (before + Date.now()) / 2
    return [checkVersion(servers, isEmbedded), ...checkData(servers), checkClock("Redis", skewMs)]
  } catch (error) {
    const isReply = error instanceof Error && error.name === "ReplyError"
    const reason = reasonOf(isReply ? error : (lastError ?? error))
    const isReadOnly = isReply && takesNoWrites(error)
    const says = isReadOnly ? awayReason(error) : `Redis isn't responding (${reason})`
    return [fault("redis", says, nextStep(reason))]
  } finally {
    redis.off("error", listen)
    redis.off("node error", listen)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer"
  // A cluster client wraps the last node's error.
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return lastNodeError instanceof Error ? lastNodeError.message : error.message
}

const NEXT: readonly [RegExp, string][] = [
  [/WRONGPASS|NOAUTH|AUTH/, "Correct the user and password in REDIS_URL."],
  [
    /^(READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN)/,
    "Fix this in Redis, or set REDIS_URL to a server that accepts writes.",
  ],
  [/cluster support disabled/, "Keep one address in REDIS_URL: several mean a Redis Cluster."],
  [/NOPERM/, "Allow the Redis user to run all commands on keys that match {da}*."],
  [/DB index/, "Correct the number at the end of REDIS_URL: this server has fewer databases."],
  [/ENOTFOUND|EAI_AGAIN/, "Correct the host in REDIS_URL, or check the DNS."],
  [
    /certificate|SSL|TLS/i,
    "Check whether REDIS_URL needs rediss:// (TLS) or redis://, and check the certificate.",
  ],
  // Each side waits for the other to speak its protocol, or hangs up.
  [
    /timed out|ETIMEDOUT|ECONNRESET/,
    "Check the address in REDIS_URL, whether it needs rediss:// (TLS) or redis://, and any firewall in between.",
  ],
]

function nextStep(reason: string): string {
  const found = NEXT.find(([pattern]) => pattern.test(reason))
  return found?.[1] ?? "Start Redis, or correct the address in REDIS_URL."
}

function checkVersion(servers: readonly ServerFacts[], isEmbedded: boolean): Finding {
  const versions = [...new Set(servers.flatMap(({ version }) => version ?? []))]
  const says = `Redis ${versions.join(", ") || "(unknown version)"} is running`
  if (!isEmbedded) return ok("redis", says)
  return warning("redis", `${says} (started by the bot: REDIS_URL isn't set)`, TRY_OUT)
}

function checkData(servers: readonly ServerFacts[]): Finding[] {
  const risks = lossRisks(servers)
  if (risks.length > 0) return risks.map(({ says, next }) => warning("redis data", says, next))
  const hidden = servers.some((s) => s.appendOnly === undefined || s.evictionPolicy === undefined)
  if (!hidden) return [ok("redis data", "Redis persistence and eviction settings are safe")]
  return [
    warning(
      "redis data",
      "Redis doesn't show its persistence and eviction settings",
      "Check both at your Redis host: persistence must be on, and the eviction policy noeviction.",
    ),
  ]
}

/** Compares a clock with this machine's. @param skewMs the difference, ms */
export function checkClock(whose: "Redis" | "Slack", skewMs: number): Finding {
  const off = Math.abs(skewMs)
  if (off < SKEW_WARNING_MS) return ok("clock", `${whose} and this machine agree on the time`)
  const side = skewMs > 0 ? "ahead of" : "behind"
  const says = `${whose}'s clock is ${(off / 1000).toFixed(1)} s ${side} this machine's`
  const next = "Turn on time synchronization (NTP) on this machine and on the one Redis runs on."
  return (off < SKEW_FAULT_MS ? warning : fault)("clock", says, next)
}
