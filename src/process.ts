import type { Services } from "./compose.ts"
import { readVersion } from "./config/installation.ts"
import { type Routes, startHttpServer } from "./lib/http-server.ts"
import type { Log } from "./lib/log.ts"
import { type Pass, runLoop, UNTIL_WOKEN } from "./lib/loop.ts"
import { FAULTS } from "./messages/fault-words.ts"
import { whyNoConnection } from "./operating/doctor/proxies-and-certificates.ts"
import {
  answerHealthz,
  answerReadyz,
  type Checks,
  readiness,
} from "./operating/healthz-and-readyz.ts"
import { scrape } from "./operating/metrics/scrape.ts"
import { missingWorkerPass } from "./operating/missing-worker.ts"
import { orSlackError, TOKEN_CODES } from "./slack/slack-error.ts"
import {
  awayReason,
  claimWorkspace,
  isStoreAway,
  readServerFacts,
  tryWriting,
  whyUnusable,
} from "./store/server-state.ts"
import type { Web } from "./web.ts"

export type ProcessType = "web" | "worker" | "all"

const READY_AGAIN_MS = 1000
/** Number of looks that find the same reason before it is logged: a connection takes a moment. */
const PATIENT_LOOKS = 3

export type Running = Awaited<ReturnType<typeof startProcess>>

/**
 * Opens the port first, then checks Slack's token and Redis, and only then starts the intake and
 * the loops, so that a process that cannot run takes no work.
 * @throws SlackError if Slack rejects a token
 * @throws Error if the port is taken or the bot cannot run on this Redis
 */
export async function startProcess(
  type: ProcessType,
  services: Services,
  onDead: (reason: string) => void,
) {
  const { log, metrics } = services
  metrics.build.set({ type, version: readVersion(), node: process.versions.node }, 1)
  // Loads only what this process runs: Bolt alone would be a fifth of a worker's memory.
  const web = type === "worker" ? undefined : (await import("./web.ts")).createWeb(services, onDead)
  const worker = type === "web" ? undefined : new (await import("./worker.ts")).Worker(services)
  const checks = checksOf(services, web)
  const server = await startHttpServer(services.config, routes(services, web, checks), log)
  try {
    await introduce(services)
    await takeRedis(services)
  } catch (error) {
    await Promise.all([server[Symbol.asyncDispose](), worker?.stop()])
    throw error
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const passes: Record<string, Pass> = {
    slack: services.slack.state.tokenCheck(log, FAULTS.bot_token.next(services.config)),
    started: startedPass({ type, port: server.port }, checks, log),
    // A process without a worker checks whether any is running, because only workers do the work.
    ...(worker ? {} : { liveness: missingWorkerPass(services.front) }),
  }
  const loops = Object.entries(passes).map(([name, pass]) =>
    runLoop(name, pass, { signal, log, isReported: isStoreAway }),
  )
  await web?.start()
  worker?.start()
  return {
    port: server.port,
    worker,
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all([server[Symbol.asyncDispose](), web?.stop(), worker?.stop(), ...loops])
    },
  }
}

/** Asks Slack who the bot is. Only a rejected token stops the start. @throws SlackError */
async function introduce({ slack, log, config }: Services): Promise<void> {
  const me = await slack.state.refresh().catch(orSlackError)
  if ("team" in me) return log.info({ team: me.team, bot: me.user }, "signed in to Slack")
  if (TOKEN_CODES.has(me.code)) throw me
  const party = { name: "Slack", url: config.slack.apiUrl, setting: "SLACK_API_URL" }
  const unreached = whyNoConnection(me.cause, party)
  const next =
    unreached?.next ??
    "Check SLACK_API_URL, and make sure this machine can reach it over HTTPS, including through any proxy."
  log.warn({ error: me, next }, `${unreached?.says ?? "Slack isn't responding"}; retrying`)
}

/** Takes Redis for this workspace, if both answer. @throws Error if the bot cannot run on it */
async function takeRedis({ requestRedis: redis, slack: { state } }: Services): Promise<void> {
  const team = state.identity?.team
  // Before it looks whose it is, so that of two bots that start at once only one goes on.
  if (team) await claimWorkspace(redis, team).catch(() => {})
  const servers = await readServerFacts(redis).catch(() => [])
  const fault = await whyUnusable(redis, servers, team).catch(() => undefined)
  if (fault) throw new Error(`${fault.says}. ${fault.next}`)
}

/** Makes the pass that logs when the process is ready and, before that, each lasting reason why not. */
function startedPass(facts: { type: ProcessType; port: number }, checks: Checks, log: Log): Pass {
  let last = ""
  let looks = 0
  return async () => {
    const { ready, reasons } = await readiness(checks, async () => [])
    const now = JSON.stringify(reasons)
    looks = now === last ? looks + 1 : 1
    last = now
    if (ready) log.info(facts, "started")
    else if (looks === PATIENT_LOOKS) log.warn({ ...facts, reasons }, "not ready yet")
    return ready ? UNTIL_WOKEN : READY_AGAIN_MS
  }
}

type OwnChecks = ReturnType<typeof checksOf>

function checksOf({ requestRedis, slack: { state } }: Services, web: Web | undefined) {
  const isConnected = web?.isConnected
  return {
    store: () => tryWriting(requestRedis).then(() => undefined, awayReason),
    slack: () => {
      if (state.refused) return `Slack rejected SLACK_BOT_TOKEN (${state.refused})`
      return state.identity ? undefined : "Slack isn't responding yet"
    },
    ...(isConnected && { intake: () => (isConnected() ? undefined : "no Socket Mode connection") }),
  }
}

function routes(services: Services, web: Web | undefined, checks: OwnChecks): Routes {
  const { front, metrics, github } = services
  return {
    ...web?.routes,
    "GET /healthz": answerHealthz,
    "GET /metrics": scrape(metrics, front, {
      whyAway: checks.store,
      isConnected: web?.isConnected,
      tokenHash: github?.tokenHash,
    }),
    "GET /readyz": answerReadyz(front, checks, github?.tokenHash),
  }
}
