import type { Services } from "./compose.ts"
import { SlackError } from "./errors/slack-error.ts"
import { openTroubles } from "./jobs/trouble/admin-notices.ts"
import { stranded, strandedPass } from "./jobs/trouble/liveness.ts"
import { noWorker, operatorNotice } from "./messages/admin-notice.ts"
import { scrape } from "./metrics/scrape.ts"
import { UNTIL_WOKEN } from "./runtime/alarm.ts"
import { type Routes, startHttpServer } from "./runtime/http-server.ts"
import type { Log } from "./runtime/log.ts"
import { type Pass, runLoop } from "./runtime/loop.ts"
import { type Check, readiness } from "./runtime/readiness.ts"
import { TOKEN_CODES } from "./slack/verdict.ts"
import { checkWritable } from "./store/away.ts"
import { readServerFacts, whyUnusable } from "./store/server-facts.ts"
import type { Web } from "./web.ts"

export type ProcessType = "web" | "worker" | "all"

type Checks = Readonly<Record<string, Check>>

const READY_AGAIN_MS = 1000

export type Running = Awaited<ReturnType<typeof startProcess>>

/**
 * Starts the parts in the order in which a failure does the least harm: first the port, then Slack's
 * check of the token, then intake and loops.
 * @throws SlackError when Slack refuses a token; Error when the port is taken or Redis is too old.
 */
export async function startProcess(
  type: ProcessType,
  services: Services,
  onDead: (reason: string) => void,
) {
  const { log } = services
  // Loads only what this process runs: Bolt alone would be a fifth of a worker's memory.
  const web = type === "worker" ? undefined : (await import("./web.ts")).createWeb(services, onDead)
  const worker = type === "web" ? undefined : (await import("./worker.ts")).createWorker(services)
  const checks = checksOf(services, web)
  const server = await startHttpServer(services.config, routes(services, web, checks), log)
  try {
    await Promise.all([introduce(services), refuseOldRedis(services)])
  } catch (error) {
    await Promise.all([server[Symbol.asyncDispose](), worker?.stop()])
    throw error
  }
  const stopping = new AbortController()
  const { signal } = stopping
  const passes: Record<string, Pass> = {
    slack: services.slack.state.tokenCheck(log),
    started: startedPass({ type, port: server.port }, checks, log),
    // Only a worker can do the waiting work, so a process without one checks whether any is running.
    ...(worker ? {} : { stranded: () => strandedPass(services.front, log) }),
  }
  const loops = Object.entries(passes).map(([name, pass]) => runLoop(name, pass, { signal, log }))
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

/** Signs in to Slack. Only a rejected token stops the start; while Slack does not respond, the bot asks again. */
async function introduce({ slack, log }: Services): Promise<void> {
  try {
    const me = await slack.state.refresh()
    log.info({ team: me.team, bot: me.user }, "signed in to Slack")
  } catch (error) {
    if (!(error instanceof SlackError) || TOKEN_CODES.has(error.code)) throw error
    const next =
      "Check SLACK_API_URL, and that this machine can reach it over HTTPS, including through any proxy."
    log.warn({ error, next }, "Slack isn't responding; retrying")
  }
}

/** Refuses a Redis on which the bot cannot run. One that doesn't answer at the start is not asked again. */
async function refuseOldRedis({ requestRedis }: Services): Promise<void> {
  const servers = await readServerFacts(requestRedis).catch(() => [])
  const fault = await whyUnusable(requestRedis, servers).catch(() => undefined)
  if (fault) throw new Error(`${fault.says}. ${fault.next}`)
}

/** Logs once that the process can do its work, and until then what it waits for. */
function startedPass(facts: { type: ProcessType; port: number }, checks: Checks, log: Log): Pass {
  let said = ""
  return async () => {
    const { ready, reasons } = await readiness(checks, async () => [])
    const now = JSON.stringify(reasons)
    if (ready) log.info(facts, "started")
    else if (now !== said) log.warn({ ...facts, reasons }, "not ready yet")
    said = now
    return ready ? UNTIL_WOKEN : READY_AGAIN_MS
  }
}

function checksOf({ requestRedis, slack: { state } }: Services, web: Web | undefined): Checks {
  return {
    store: () => checkWritable(requestRedis),
    slack: () => {
      if (state.refused) return `Slack rejected SLACK_BOT_TOKEN (${state.refused})`
      return state.identity ? undefined : "Slack isn't responding yet"
    },
    ...(web ? { intake: web.check } : {}),
  }
}

function routes(services: Services, web: Web | undefined, checks: Checks): Routes {
  const { config, front, metrics } = services
  const notices = async () => {
    const found = await stranded(front)
    const idle = found.waiting > 0 ? [noWorker(found).text.replaceAll("`", "")] : []
    // With an admin the other notices go to Slack; without one they appear only here and in the log.
    const troubles = config.access.admins.size > 0 ? [] : await openTroubles(front)
    return [...idle, ...troubles.map(operatorNotice)]
  }
  const connected =
    web && config.slack.mode === "socket" ? () => web.check() === undefined : undefined
  return {
    ...web?.routes,
    "GET /healthz": (_, res) => {
      res.writeHead(200, { "content-type": "text/plain" }).end("alive\n")
    },
    "GET /metrics": scrape(metrics, front, connected),
    "GET /readyz": async (_, res) => {
      const state = await readiness(checks, notices)
      res
        .writeHead(state.ready ? 200 : 503, { "content-type": "application/json" })
        .end(`${JSON.stringify(state)}\n`)
    },
  }
}
