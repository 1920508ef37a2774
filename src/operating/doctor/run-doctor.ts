import {
  CORRECT,
  type Config,
  ConfigError,
  readConfig,
  secretsOf,
  unreadEnvFile,
} from "../../config/config.ts"
import type { Env } from "../../config/environment-variables.ts"
import { createProjects } from "../../config/projects.ts"
import { createLog, type Log } from "../../lib/log.ts"
import { harmless } from "../../lib/plain-text.ts"
import { createSecretFilter, parseCleaned, secret } from "../../lib/secrets.ts"
import { createHealthStore } from "../../limit/pauses.ts"
import { connectRedis } from "../../store/connect.ts"
import {
  findRedisServer,
  INSTALL_REDIS,
  serverAt,
  socketPath,
  whyUnfit,
} from "../../store/embedded-redis.ts"
import type { RedisClient } from "../../store/script.ts"
import { isStoreAway } from "../../store/server-state.ts"
import { queueNotices } from "../find-troubles.ts"
import type { CallCounts } from "../metrics/count-calls.ts"
import { workerNotices } from "../missing-worker.ts"
import { checkGitHub } from "./check-github.ts"
import { checkPortAndDataFolder } from "./check-port-and-data-folder.ts"
import { checkRedis, ownRedis, storeFault } from "./check-redis.ts"
import { checkService } from "./check-service.ts"
import { checkSettings } from "./check-settings.ts"
import { checkSlack } from "./check-slack.ts"
import { about, type Finding, findingOf, headline, isWell } from "./finding.ts"

/** Runs `main.js doctor`. Returns the text to print; `well` is true if there is no fault. */
export async function runDoctor(env: Env, { json }: { json: boolean }) {
  const findings = await findingsOf(env)
  const well = isWell(findings)
  const output = json ? `${JSON.stringify({ well, findings }, null, 2)}\n` : toLines(findings)
  return { output, well }
}

async function findingsOf(env: Env): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const next = `${CORRECT} Other checks run once all settings are valid.${unreadEnvFile(env, "doctor")}`
    return error.faults.map((says) => about("settings").fault(says, next))
  }
  // The findings name the errors; the clients' own log lines would only repeat them.
  const log = createLog("silent", [])
  const { store } = config
  const path = socketPath(config.dataDir)
  // Starts no redis-server, because the doctor must leave nothing behind.
  if (store.kind === "embedded" && (await serverAt(path)) === "none")
    return examine(config, await notStarted(env.PATH, config), log)
  const address = store.kind === "embedded" ? { kind: "server" as const, url: secret(path) } : store
  const redis = connectRedis(address, "requests", log)
  return examine(config, redis, log).finally(() => redis.disconnect())
}

async function notStarted(path: string | undefined, config: Config): Promise<Finding> {
  const { fault } = about("redis")
  const says = "No Redis: REDIS_URL isn't set and there's no redis-server on PATH"
  if (!findRedisServer(path)) return fault(says, `Set REDIS_URL, or ${INSTALL_REDIS}.`)
  const unfit = await whyUnfit(config.dataDir)
  if (unfit) return fault(unfit.says, unfit.next)
  return ownRedis("REDIS_URL isn't set: Docs Agent will start its own Redis", config)
}

/** Formats findings for a terminal; consecutive findings with the same next step show it once. */
function toLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, level, says, next }, i) => [
    `${level.padEnd(7)}  ${check.padEnd(width)}  ${harmless(says)}`,
    ...(next && findings[i + 1]?.next !== next
      ? [`${" ".repeat(width + 11)}→ ${harmless(next)}`]
      : []),
  ])
  return `${[...lines, "", headline(findings)].join("\n")}\n`
}

/**
 * Checks Redis, then the rest at once; returns findings in the order in which to fix them. Starts
 * no job. A Redis that fails during the other checks is one more finding.
 * @param redis a connection, or the finding that explains why there is none
 * @param counts of the calls in a running bot; absent in a process of the doctor's own
 */
export async function examine(
  config: Config,
  redis: RedisClient | Finding,
  log: Log,
  counts?: CallCounts,
) {
  const secrets = createSecretFilter(secretsOf(config))
  const store = "check" in redis ? [redis] : await checkRedis(redis, config)
  // A Redis that may drop keys, or is nearly full, still answers the other checks.
  const isUsable = isWell(store.filter(({ check }) => !/persistence|memory/.test(check)))
  const answering = "check" in redis || !isUsable ? undefined : redis
  const checks: Promise<Finding | Finding[]>[] = [
    checkSlack(config, answering, log, counts?.slack),
    checkService(config, answering, secrets, counts?.service),
    checkPortAndDataFolder(config),
    checkGitHub(config, answering, secrets),
    ...(answering ? [checkQueues(config, answering)] : []),
  ]
  const others = await Promise.all(checks.map((check) => check.catch(brokenCheck)))
  const found = [...checkSettings(config), ...store, ...others.flat()]
  const distinct = [...new Map(found.map((one) => [one.says, one])).values()]
  // Findings contain no secrets of their own; this removes any from other parties' text.
  return parseCleaned(secrets, JSON.stringify(distinct)) as Finding[]
}

/** Lists what keeps requests or their results back although Redis, Slack and the service are well. */
export async function checkQueues(config: Config, redis: RedisClient): Promise<Finding[]> {
  const store = { redis }
  const settings = { ...config, projects: createProjects(config.docs.projects) }
  const health = createHealthStore(store, () => {})
  const open = await queueNotices({ store, health, settings })
  const notices = [...open, ...(await workerNotices(store))]
  // Reading from the service shows a refused key; a month that isn't used up needs nobody yet.
  return notices
    .filter(({ fault, remedy }) => fault !== "key_refused" && remedy !== "")
    .map((notice) => findingOf("queue", notice))
}

/** Turns an error of a check into a finding: of Redis, if it was, and of nothing else. */
function brokenCheck(error: unknown): Finding {
  if (isStoreAway(error) || (error instanceof Error && error.name === "ReplyError"))
    return storeFault(error)
  const says = error instanceof Error ? error.message : String(error)
  return about("doctor").fault(`A check ended early: ${says}`, "Run the doctor again.")
}
