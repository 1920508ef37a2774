import { Cluster } from "ioredis"
import type { Log } from "../lib/log.ts"
import { isWorthALine } from "../lib/loop.ts"
import { key } from "./redis-keys.ts"
import type { RedisClient } from "./script.ts"

/** Returns whether Redis is down, full or busy. Redis 6 puts a script's error after a dash. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === "MaxRetriesPerRequestError" || AWAY.test(replyOf(error).message)
}

/**
 * Makes the handler of errors of a reading that something goes on without. Logs them less and less
 * often; that Redis is away is logged elsewhere.
 */
export function logUnlessAway<Instead>(log: Log, says: string, instead: Instead) {
  let failures = 0
  return (error: unknown): Instead => {
    if (isStoreAway(error)) return instead
    failures += 1
    if (isWorthALine(failures)) log.error({ error, failures }, says)
    return instead
  }
}

/** Returns the error that ended a transaction, of which EXEC says only that there was one. */
function replyOf(error: Error): Error {
  const { previousErrors: [first] = [] } = error as Error & { previousErrors?: Error[] }
  return first ?? error
}

const AWAY =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection is closed|Command timed out|READONLY|(^|-)OOM|LOADING|NOAUTH|WRONGPASS|MASTERDOWN|CLUSTERDOWN|MISCONF|BUSY|TRYAGAIN|non local key|Too many Cluster|refresh slots cache|startup nodes|Stream isn't writeable/

/** Matches the replies of a Redis that answers but accepts no writes. */
export const NO_WRITES = /(^|-)(READONLY|OOM|MISCONF|MASTERDOWN|CLUSTERDOWN)/

/** Returns the reply or the failed connection below a client's error. */
export function causeOf(error: unknown): Error {
  if (!(error instanceof Error)) return new Error("no answer")
  const { lastNodeError } = error as { lastNodeError?: unknown }
  return replyOf(lastNodeError instanceof Error ? lastNodeError : error)
}

/** Says why Redis can't be used. */
export function awayReason(error: unknown, otherwise = "Redis isn't responding"): string {
  const { message } = causeOf(error)
  return CAUSES.find(({ of, says }) => says && of.test(message))?.says ?? otherwise
}

/** Says what to do about it. */
export function awayRemedy(error: unknown): string {
  const { name, message } = causeOf(error)
  const otherwise =
    name === "ReplyError"
      ? "Check Redis's log, then run the doctor again."
      : "Start Redis, or correct the address in REDIS_URL."
  return CAUSES.find(({ of, next }) => next && of.test(message))?.next ?? otherwise
}

/** Errors by their words; the first that matches and knows what is asked counts. */
const CAUSES: readonly { of: RegExp; says?: string; next?: string }[] = [
  { of: /(^|-)READONLY/, says: "Redis is read-only: it's a replica, or its disk is full" },
  { of: /(^|-)OOM/, says: "Redis is out of memory: raise its maxmemory" },
  {
    of: /(^|-)MISCONF/,
    says: "Redis can't save to its disk and rejects writes; see its log",
    next: "Free disk space where Redis keeps its data (DATA_DIR, if Docs Agent started it).",
  },
  {
    of: /^LOADING/,
    says: "Redis is still loading its data",
    next: "Wait until it has; its log shows how far it is. Then run the doctor again.",
  },
  {
    of: /^BUSY /,
    says: "Redis is busy with a script",
    next: "Look for what runs a long script there, and end it with SCRIPT KILL.",
  },
  {
    of: /AUTH|WRONGPASS/,
    says: "Redis rejected the user or password in REDIS_URL",
    next: "Correct the user and password in REDIS_URL.",
  },
  {
    of: /NOPERM/,
    says: "The Redis user in REDIS_URL lacks a permission",
    next: "Allow the Redis user to run all commands on keys that match {da}*.",
  },
  {
    of: /^CLUSTERDOWN/,
    says: "Redis Cluster has no working primary for some keys; see CLUSTER INFO",
  },
  { of: /^MASTERDOWN/, says: "Redis has no working primary" },
  { of: /^Unknown RESP type/, says: "The server in REDIS_URL isn't Redis" },
  {
    of: NO_WRITES,
    next: "Fix this in Redis, or set REDIS_URL to a server that accepts writes.",
  },
  {
    of: /cluster support disabled/,
    next: "Use a single address in REDIS_URL: a list means Redis Cluster.",
  },
  {
    of: /DB index/,
    next: "Correct the number at the end of REDIS_URL: this server has fewer databases.",
  },
  { of: /ENOTFOUND|EAI_AGAIN/, next: "Correct the host in REDIS_URL, or check DNS." },
  {
    of: /certificate/i,
    next: "If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the path of its CA certificate. Otherwise check the host in REDIS_URL and the certificate.",
  },
  { of: /SSL|TLS/, next: "Check whether REDIS_URL needs rediss:// (TLS) or redis://." },
  // If only one side uses TLS, each side waits for the other's protocol or hangs up.
  {
    of: /timed out|ETIMEDOUT|ECONNRESET/,
    next: "Check the address in REDIS_URL, whether it needs rediss:// (TLS) or redis://, and any firewall in between.",
  },
]

/** Fails if Redis rejects writes. PING succeeds on a full Redis and a replica. */
export async function tryWriting(redis: RedisClient): Promise<void> {
  await redis.set(key("ready"), "1", "PX", 60_000)
}

export type ServerFacts = ReturnType<typeof parseInfo>

/** Asks every primary with INFO, which managed Redis allows even if it forbids CONFIG. */
export async function readServerFacts(redis: RedisClient): Promise<ServerFacts[]> {
  // A cluster client knows its primaries only after its first reply.
  await redis.exists(key("ready"))
  const servers = redis instanceof Cluster ? redis.nodes("master") : [redis]
  return Promise.all(servers.map(async (server) => parseInfo(await server.info().catch(ifAllowed))))
}

/** Takes a Redis user who may not run INFO for a Redis that says nothing about itself. */
function ifAllowed(error: unknown): string {
  if (causeOf(error).message.startsWith("NOPERM")) return ""
  throw error
}

/** Share of its memory from which on Redis counts as nearly full: the bot takes no new requests. */
export const NEARLY_FULL = 0.9
/** Share below which Redis has room again; one that wavers between the two is still the same trouble. */
const ROOMY = 0.85

export function parseInfo(info: string) {
  const field = (name: string) => new RegExp(`^${name}:(.+?)\\r?$`, "m").exec(info)?.[1]
  const appendOnly = field("aof_enabled")
  const bytes = (name: string) => Number(field(name) ?? 0)
  const most = bytes("maxmemory") || bytes("total_system_memory")
  const used = most > 0 ? bytes("used_memory") / most : 0
  return {
    version: field("redis_version"),
    appendOnly: appendOnly === undefined ? undefined : appendOnly === "1",
    evictionPolicy: field("maxmemory_policy"),
    isNearlyFull: used >= NEARLY_FULL,
    isRoomy: used < ROOMY,
  }
}

/** Oldest Redis version with `ZRANGE … REV`, which the bot uses to read a person's jobs. */
const OLDEST = "6.2"

/** Keys that only earlier versions wrote, whose records this one can't read: 0.1.0, then others. */
const OF_EARLIER = [key("projects"), key("team")]

/** Key of the workspace whose data this Redis holds: bots that share one do each other's work. */
const TEAM = key("workspace")

export async function claimWorkspace(redis: RedisClient, team: string): Promise<void> {
  await redis.setnx(TEAM, team)
}

/**
 * Returns why the bot can't use this Redis: too old for its commands, or with data from an
 * earlier version or of another workspace.
 * @param team the bot's workspace, once Slack has named it
 */
export async function whyUnusable(
  redis: RedisClient,
  servers: readonly ServerFacts[],
  team?: string,
) {
  const isOld = (version: string) => version.localeCompare(OLDEST, "en", { numeric: true }) < 0
  const old = servers.find(({ version }) => version && isOld(version))
  const install = `Install Redis ${OLDEST} or newer (7 recommended).`
  if (old) return { says: `Redis ${old.version} is too old`, next: install }
  const owner = await redis.get(TEAM)
  const isTaken = team !== undefined && owner !== null && owner !== team
  if (!isTaken && (await redis.exists(...OF_EARLIER)) === 0) return undefined
  return {
    says: isTaken
      ? "Redis holds the data of another workspace's Docs Agent"
      : "Redis holds data from an earlier Docs Agent, which this version can't read",
    next: "Point REDIS_URL to another Redis or database (the number at its end), or DATA_DIR to an empty folder. Or, once nobody needs that data, delete the keys that begin with {da}.",
  }
}
