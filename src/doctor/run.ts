import { existsSync, readFileSync } from "node:fs"
import { type Config, ConfigError, readConfig, type StoreConfig } from "../config/config.ts"
import { secretsOf } from "../config/secrets-of.ts"
import { DocsClient } from "../docs/client.ts"
import type { Sample } from "../ports/message.ts"
import { type Address, connectRedis } from "../redis/connection/connect.ts"
import { findRedisServer, socketPath } from "../redis/connection/embedded.ts"
import type { RedisClient } from "../redis/script.ts"
import { createLog } from "../runtime/log.ts"
import { createWebClient } from "../slack/client.ts"
import { createSecretFilter, type SecretFilter } from "../text/secret-filter.ts"
import { examine, judge } from "./examine.ts"
import { type Finding, isWell } from "./finding.ts"
import { gitHubOf } from "./github.ts"
import { readMachine } from "./machine.ts"
import { toJson, toLines } from "./print.ts"
import { readStore, type StoreFacts } from "./store.ts"

export interface DoctorRun {
  env: Readonly<Record<string, string | undefined>>
  /** `process.versions.node` */
  node: string
  json: boolean
  /** One of each kind of message, for Slack to look at. */
  samples: readonly Sample[]
}

/** `main.js doctor`: what to print, and whether the bot can run. */
export async function runDoctor(run: DoctorRun): Promise<{ output: string; well: boolean }> {
  const print = run.json ? toJson : toLines
  let config: Config
  try {
    config = readConfig(run.env, (path) => readFileSync(path, "utf8"))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const findings = judge({ node: run.node, environment: error.faults })
    return { output: print(findings), well: false }
  }
  const secrets = createSecretFilter(secretsOf(config))
  const found = await examineFromOutside(config, run, secrets)
  // The findings are made without secrets; should a foreign text ever carry one, it ends here.
  const findings = found.map(({ says, next, ...finding }) => ({
    ...finding,
    says: secrets.clean(says),
    ...(next ? { next: secrets.clean(next) } : {}),
  }))
  return { output: print(findings), well: isWell(findings) }
}

async function examineFromOutside(
  config: Config,
  { env, node, samples }: DoctorRun,
  secrets: SecretFilter,
): Promise<Finding[]> {
  // The findings say what went wrong; the clients' own lines would only repeat it.
  const log = createLog("silent", [])
  const { slack, docs } = config
  const address = findRedis(config.store)
  const redis = address && connectRedis(address, "requests", log)
  await using client = new DocsClient(docs, secrets)
  try {
    return await examine({
      config,
      log,
      node,
      store: () => findStore(config.store, redis, env.PATH),
      slack: createWebClient(slack.botToken, slack.apiUrl, log, { secrets }),
      docs: client,
      github: gitHubOf(config, secrets),
      samples,
      machine: () => readMachine(config),
      redis,
    })
  } finally {
    redis?.disconnect()
  }
}

/** Where Redis is: as configured, else a redis-server of ours that is running. */
function findRedis(store: StoreConfig): Address | undefined {
  if (store.kind !== "embedded") return store
  const path = socketPath(store.dataDir)
  return existsSync(path) ? { kind: "socket", path } : undefined
}

/** The doctor starts no redis-server: looking must leave nothing behind. */
async function findStore(
  store: StoreConfig,
  redis: RedisClient | undefined,
  path: string | undefined,
): Promise<StoreFacts> {
  const facts = redis && (await readStore(redis, store.kind === "embedded"))
  if (facts && (facts.state === "answers" || store.kind !== "embedded")) return facts
  return { state: findRedisServer(path) ? "not_started" : "missing" }
}
