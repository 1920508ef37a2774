import { redisTime } from "../redis/clock.ts"
import { lossRisks, readServerFacts, type ServerFacts } from "../redis/connection/server-facts.ts"
import type { RedisClient } from "../redis/script.ts"
import { type Finding, fault, isWell, ok, warning } from "./finding.ts"

export const TRY_OUT = "OK for a trial. In production, set REDIS_URL."

/** `ZRANGE … REV`, which the queue is read with. */
const OLDEST = [6, 2] as const
/** The hour is counted 5 s long; beyond half of that, clocks deserve a look. ms */
const SKEW_WARNING_MS = 2500
/** Slack's signatures are valid for five minutes; no host with a time service is off by one. ms */
const SKEW_FAULT_MS = 60_000

/**
 * Asks Redis for its version, how it keeps data, and the time. Never throws.
 * @param isEmbedded a redis-server that the bot started
 * @returns `answering`: the connection, where nothing is wrong with it
 */
export async function checkRedis(
  redis: RedisClient,
  isEmbedded: boolean,
): Promise<{ findings: Finding[]; answering?: RedisClient }> {
  // The client answers commands with "too many retries" or "closed" and gives the reason to listeners only.
  let lastError: Error | undefined
  const listen = (error: Error) => {
    if (!lastError || reasonOf(error) !== "Connection is closed.") lastError = error
  }
  redis.on("error", listen)
  redis.on("node error", listen)
  try {
    const servers = await readServerFacts(redis)
    const before = Date.now()
    const now = await redisTime(redis)
    // Redis reads its clock about in the middle of the round trip.
    const skewMs = now - (before + Date.now()) / 2
    const findings = [checkVersion(servers, isEmbedded), ...checkData(servers)]
    findings.push(checkClock("Redis's clock", skewMs))
    return isWell(findings) ? { findings, answering: redis } : { findings }
  } catch (error) {
    const isReply = error instanceof Error && error.name === "ReplyError"
    const reason = reasonOf(isReply ? error : (lastError ?? error))
    return { findings: [fault("redis", `Redis isn't responding (${reason})`, nextStep(reason))] }
  } finally {
    redis.off("error", listen)
    redis.off("node error", listen)
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer"
  // A cluster client wraps what the last node said.
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return lastNodeError instanceof Error ? lastNodeError.message : error.message
}

function nextStep(reason: string): string {
  if (/WRONGPASS|NOAUTH|AUTH/.test(reason)) return "Correct the user and password in REDIS_URL."
  if (/NOPERM/.test(reason)) return "Let the Redis user run all commands on keys of {da}*."
  if (/DB index/.test(reason))
    return "Correct the number at the end of REDIS_URL: this server has fewer databases."
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return "Correct the host in REDIS_URL, or check the DNS."
  if (/certificate|SSL|TLS/i.test(reason))
    return "Check whether REDIS_URL needs rediss:// (TLS) or redis://, and check the certificate."
  // Each side waits for the other to speak its protocol, or hangs up.
  if (/timed out|ETIMEDOUT|ECONNRESET/.test(reason))
    return "Check the address in REDIS_URL, whether it needs rediss:// (TLS) or redis://, and any firewall in between."
  return "Start Redis, or correct the address in REDIS_URL."
}

function checkVersion(servers: readonly ServerFacts[], isEmbedded: boolean): Finding {
  const versions = [...new Set(servers.flatMap(({ version }) => version ?? []))]
  const old = versions.find(isTooOld)
  if (old)
    return fault("redis", `Redis ${old} is too old`, "Install Redis 6.2 or newer (7 recommended).")
  const says = `Redis ${versions.join(", ") || "of unknown version"} is running`
  if (!isEmbedded) return ok("redis", says)
  return warning("redis", `${says} (started by the bot: REDIS_URL isn't set)`, TRY_OUT)
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
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

/** @param skewMs of that clock against this machine's */
export function checkClock(whose: string, skewMs: number): Finding {
  const off = Math.abs(skewMs)
  if (off < SKEW_WARNING_MS) return ok("clock", `${whose} and this machine's agree`)
  const side = skewMs > 0 ? "ahead of" : "behind"
  const says = `${whose} is ${(off / 1000).toFixed(1)} s ${side} this machine's`
  const next = "Turn on time synchronization (NTP) on this machine and on the one Redis runs on."
  return (off < SKEW_FAULT_MS ? warning : fault)("clock", says, next)
}
