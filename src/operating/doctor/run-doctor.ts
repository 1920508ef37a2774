import {
  CORRECT,
  type Config,
  ConfigError,
  readConfig,
  unreadEnvFile,
} from "../../config/config.ts"
import { secret } from "../../config/secret.ts"
import type { Env } from "../../config/settings.ts"
import { createLog } from "../../lib/log.ts"
import { harmless } from "../../lib/plain-text.ts"
import { connectRedis } from "../../store/connect.ts"
import {
  findRedisServer,
  INSTALL_REDIS,
  serverAt,
  socketPath,
  whyUnfit,
} from "../../store/embedded-redis.ts"
import { ownRedis } from "./check-redis.ts"
import { examine } from "./examine.ts"
import { about, type Finding, headline, isWell } from "./finding.ts"

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
