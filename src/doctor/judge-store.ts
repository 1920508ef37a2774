import { lossRisks, type ServerFacts } from "../redis/server-facts.ts"
import type { StoreFacts } from "./facts.ts"
import { type Finding, fault, ok, warning } from "./finding.ts"

/** `ZRANGE … REV`, which the queue is read with. */
const OLDEST_REDIS = [6, 2] as const
/** The hour is kept 5 s long on top; beyond half of that, clocks deserve a look. ms */
const SKEW_WARNING_MS = 2500
/** Slack's signatures are five minutes valid; no host with a time service is off by a minute. ms */
const SKEW_FAULT_MS = 60_000

export function judgeStore(store: StoreFacts): Finding[] {
  switch (store.state) {
    case "missing":
      return [
        fault(
          "redis",
          "There is no Redis: REDIS_URL is not set and no redis-server is on PATH",
          "Set REDIS_URL, or install redis-server (Debian: apt-get install redis-server; macOS: brew install redis).",
        ),
      ]
    case "not_started":
      return [
        warning(
          "redis",
          "REDIS_URL is not set: the bot will start a redis-server of its own, with its data in DATA_DIR",
          "Fine for a try-out. In production set REDIS_URL, so that several processes can share it.",
        ),
      ]
    case "away":
      return [fault("redis", `Redis does not answer (${store.reason})`, nextStep(store.reason))]
    case "answers":
      return [...judgeVersion(store), ...judgeData(store.servers), judgeClock(store.skewMs)]
  }
}

function nextStep(reason: string): string {
  if (/WRONGPASS|NOAUTH|AUTH/.test(reason)) return "Correct the user and password in REDIS_URL."
  if (/DB index/.test(reason))
    return "Correct the number at the end of REDIS_URL: this server has fewer databases."
  if (/ENOTFOUND|EAI_AGAIN/.test(reason))
    return "Correct the host in REDIS_URL, or its name service."
  if (/certificate|SSL|TLS/i.test(reason))
    return "Check whether the host wants rediss:// (TLS) or redis:// in REDIS_URL, and its certificate."
  // Each waits for the other to speak its protocol, or hangs up.
  if (/timed out|ETIMEDOUT|ECONNRESET/.test(reason))
    return "Check the address in REDIS_URL, whether it wants rediss:// (TLS) or redis://, and firewalls on the way."
  return "Start Redis, or correct the address in REDIS_URL."
}

function judgeVersion({ servers, embedded }: Extract<StoreFacts, { state: "answers" }>): Finding[] {
  const versions = [...new Set(servers.flatMap(({ version }) => version ?? []))]
  const old = versions.find(isTooOld)
  if (old)
    return [
      fault(
        "redis",
        `Redis ${old} is too old`,
        `Install Redis ${OLDEST_REDIS.join(".")} or newer; 7 is what the tests run on.`,
      ),
    ]
  const says = `Redis ${versions.join(", ") || "of unknown version"} answers`
  if (!embedded) return [ok("redis", says)]
  return [
    warning(
      "redis",
      `${says}; it is the bot's own, as REDIS_URL is not set`,
      "Fine for a try-out. In production set REDIS_URL, so that several processes can share it.",
    ),
  ]
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major < OLDEST_REDIS[0] || (major === OLDEST_REDIS[0] && minor < OLDEST_REDIS[1])
}

function judgeData(servers: readonly ServerFacts[]): Finding[] {
  const risks = lossRisks(servers)
  if (risks.length > 0) return risks.map(({ says, next }) => warning("redis data", says, next))
  const hidden = servers.some((s) => s.appendOnly === undefined || s.evictionPolicy === undefined)
  if (hidden)
    return [
      warning(
        "redis data",
        "Redis does not say whether it keeps an append-only file and never evicts",
        "Look both up at your Redis host: persistence must be on, and the eviction policy noeviction.",
      ),
    ]
  return [ok("redis data", "Redis keeps an append-only file and never evicts")]
}

function judgeClock(skewMs: number): Finding {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1)
  if (Math.abs(skewMs) < SKEW_WARNING_MS)
    return ok("redis clock", "The clocks of Redis and of this machine agree")
  const says = `The clock of Redis is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} this machine's`
  const next = "Turn time synchronisation (NTP) on, on both machines."
  return Math.abs(skewMs) < SKEW_FAULT_MS
    ? warning("redis clock", says, next)
    : fault("redis clock", says, next)
}
