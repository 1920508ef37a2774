import { redisTime } from "../redis/clock.ts"
import { INSTALL_REDIS } from "../redis/connection/embedded.ts"
import { lossRisks, readServerFacts, type ServerFacts } from "../redis/connection/server-facts.ts"
import type { RedisClient } from "../redis/script.ts"
import { type Finding, fault, isOlder, ok, warning } from "./finding.ts"

export type StoreFacts =
  | Answers
  | { state: "away"; reason: string }
  /** No REDIS_URL; the bot starts a redis-server of its own when it starts. */
  | { state: "not_started" }
  /** No REDIS_URL and no redis-server either. */
  | { state: "missing" }

interface Answers {
  state: "answers"
  /** A redis-server of ours rather than one that was configured. */
  embedded: boolean
  servers: readonly ServerFacts[]
  /** Redis' clock minus ours, ms, give or take half a round trip. */
  skewMs: number
}

/** Asks a Redis about itself. Never throws. @param embedded is it a redis-server of ours? */
export async function readStore(redis: RedisClient, embedded: boolean): Promise<StoreFacts> {
  // The client answers commands with "too many retries", "timed out" or "closed", and tells the reason
  // only to its listeners.
  let lastError: Error | undefined
  const listen = (error: Error) => {
    if (!lastError || reasonOf(error) !== "Connection is closed.") lastError = error
  }
  redis.on("error", listen)
  redis.on("node error", listen)
  try {
    const servers = await readServerFacts(redis)
    // As if Redis had read its clock in the middle of the round trip.
    const before = Date.now()
    const theirs = await redisTime(redis)
    return { state: "answers", embedded, servers, skewMs: theirs - (before + Date.now()) / 2 }
  } catch (error) {
    // Redis' own word is the best reason there is.
    const isReply = error instanceof Error && error.name === "ReplyError"
    return { state: "away", reason: reasonOf(isReply ? error : (lastError ?? error)) }
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

/** `ZRANGE … REV`, which the queue is read with. */
const OLDEST_REDIS = [6, 2] as const
/** The hour is kept 5 s long on top; beyond half of that, clocks deserve a look. ms */
const SKEW_WARNING_MS = 2500
/** Slack's signatures are five minutes valid; no host with a time service is off by a minute. ms */
const SKEW_FAULT_MS = 60_000

const TRY_OUT =
  "Fine for trying out. In production, set REDIS_URL so that several processes can share it."

export function judgeStore(store: StoreFacts): Finding[] {
  switch (store.state) {
    case "missing": {
      const says = "There's no Redis: REDIS_URL isn't set and there's no redis-server on PATH"
      return [fault("redis", says, `Set REDIS_URL, or ${INSTALL_REDIS}.`)]
    }
    case "not_started": {
      const says =
        "REDIS_URL isn't set: the bot will start its own redis-server, with its data in DATA_DIR"
      return [warning("redis", says, TRY_OUT)]
    }
    case "away":
      return [fault("redis", `Redis isn't responding (${store.reason})`, nextStep(store.reason))]
    case "answers":
      return [judgeVersion(store), ...judgeData(store.servers), judgeClock(store.skewMs)]
  }
}

function nextStep(reason: string): string {
  if (/WRONGPASS|NOAUTH|AUTH/.test(reason)) return "Correct the user and password in REDIS_URL."
  if (/DB index/.test(reason))
    return "Correct the number at the end of REDIS_URL: this server has fewer databases."
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return "Correct the host in REDIS_URL, or check the DNS."
  if (/certificate|SSL|TLS/i.test(reason))
    return "Check whether REDIS_URL needs rediss:// (TLS) or redis://, and check the certificate."
  // Each waits for the other to speak its protocol, or hangs up.
  if (/timed out|ETIMEDOUT|ECONNRESET/.test(reason))
    return "Check the address in REDIS_URL, whether it needs rediss:// (TLS) or redis://, and any firewall in between."
  return "Start Redis, or correct the address in REDIS_URL."
}

function judgeVersion({ servers, embedded }: Answers): Finding {
  const versions = [...new Set(servers.flatMap(({ version }) => version ?? []))]
  const old = versions.find((version) => isOlder(version, OLDEST_REDIS))
  if (old) {
    const next = `Install Redis ${OLDEST_REDIS.join(".")} or newer; 7 is what the tests run on.`
    return fault("redis", `Redis ${old} is too old`, next)
  }
  const says = `Redis ${versions.join(", ") || "of unknown version"} answers`
  if (!embedded) return ok("redis", says)
  return warning("redis", `${says}; it's the bot's own, as REDIS_URL isn't set`, TRY_OUT)
}

function judgeData(servers: readonly ServerFacts[]): Finding[] {
  const risks = lossRisks(servers)
  if (risks.length > 0) return risks.map(({ says, next }) => warning("redis data", says, next))
  const hidden = servers.some((s) => s.appendOnly === undefined || s.evictionPolicy === undefined)
  if (!hidden) return [ok("redis data", "Redis keeps an append-only file and never evicts")]
  const says = "Redis doesn't say whether it keeps an append-only file and never evicts"
  const next =
    "Check both at your Redis host: persistence must be on, and the eviction policy noeviction."
  return [warning("redis data", says, next)]
}

function judgeClock(skewMs: number): Finding {
  const off = Math.abs(skewMs)
  if (off < SKEW_WARNING_MS) return ok("redis clock", "Redis's clock and this machine's agree")
  const side = skewMs > 0 ? "ahead of" : "behind"
  const says = `Redis's clock is ${(off / 1000).toFixed(1)} s ${side} this machine's`
  const next = "Turn on time synchronisation (NTP) on both machines."
  return (off < SKEW_FAULT_MS ? warning : fault)("redis clock", says, next)
}
