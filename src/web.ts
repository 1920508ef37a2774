import { App, type Receiver } from "@slack/bolt"
import { sendAudit } from "./audit/send.ts"
import { examine } from "./doctor/examine.ts"
import type { AgentDeps } from "./handlers/deps.ts"
import { actOnDeferred } from "./handlers/routing/deferred.ts"
import { createHandler } from "./handlers/routing/handle.ts"
import { isStoreAway } from "./redis/connection/away.ts"
import type { Routes } from "./runtime/http-server.ts"
import { runLoop } from "./runtime/loop.ts"
import type { Services } from "./services/services.ts"
import { HttpReceiver } from "./slack/http-receiver.ts"
import { permalink } from "./slack/identity.ts"
import { slackLogger } from "./slack/logger.ts"
import { listener, PayloadProcessor } from "./slack/payload-processor.ts"
import { SocketReceiver } from "./slack/socket-receiver.ts"
import { auditSentMessage } from "./views/audit.ts"

/** The Slack side of the bot: takes commands, events and clicks in, and makes them durable. */
export interface Web {
  /** Routes for the process' HTTP server; none in Socket Mode. */
  routes: Routes
  /** Why it cannot do its work right now; absent if it can. */
  check: () => string | undefined
  start(): Promise<void>
  /** Accepts nothing more and finishes work in progress. */
  stop(): Promise<void>
}

/** @param onDead called when the process should end and be restarted. */
export function createWeb(services: Services, onDead: (reason: string) => void): Web {
  const { log } = services
  const deps = {
    agent: agentDeps(services),
    visitors: services.visitors.deps,
    deferred: services.deferred,
    log,
    isStoreAway,
    workWithinMs: services.timing.workWithinMs,
  }
  const processor = new PayloadProcessor({
    log,
    onAnswered: (payload) => services.instrumentation.slack.answered(payload),
  })
  const { receiver, routes, check } = createReceiver(services, processor, onDead)
  const app = new App({
    receiver,
    logger: slackLogger(log),
    convoStore: false,
    // Bolt would ask Slack who we are before each event; it is asked once, at start. Without a
    // token, as nothing is sent through Bolt: with one it would make a client for each payload.
    authorize: async () => identityOf(services),
    // Bolt would run each payload through one more chain; `mention` knows the bot itself.
    ignoreSelf: false,
  })
  app.use(listener(createHandler(deps)))
  app.error(async (error) => {
    throw error
  })
  const stopping = new AbortController()
  /** Handles deferred payloads that another process left behind; each process handles its own at once. */
  const leftBehind = async () => {
    if ((await actOnDeferred(deps)) === "acted") return 0
    // Whatever is kept after this look is leased at once, and for no less than the rest.
    return Math.min(services.timing.leaseMs, (await services.deferred.nextDue()) ?? Infinity)
  }
  let loop: Promise<void> | undefined
  return {
    routes,
    check,
    async start() {
      await receiver.start()
      loop = runLoop("deferred", leftBehind, { signal: stopping.signal, log })
    },
    async stop() {
      stopping.abort()
      await receiver.stop()
      await Promise.all([processor.settled(), loop])
    },
  }
}

function createReceiver(
  services: Services,
  processor: PayloadProcessor,
  onDead: (reason: string) => void,
): {
  receiver: Receiver & { start(): Promise<void> }
  routes: Routes
  check: () => string | undefined
} {
  const { config, log } = services
  if (config.slack.mode === "http") {
    const { signingSecret } = config.slack
    const receiver = new HttpReceiver(signingSecret, processor, (signed) => {
      services.lastSeen.note(signed)
      if (!signed) services.instrumentation.slack.unsigned()
    })
    const routes = { "POST /slack/events": receiver.handle.bind(receiver) }
    return { receiver, routes, check: () => undefined }
  }
  const { appToken, apiUrl } = config.slack
  const apartMs = services.timing.socketsApartMs
  const receiver = new SocketReceiver({ appToken, apiUrl, processor, log, apartMs, onDead })
  const check = () => (receiver.connected ? undefined : "no Socket Mode connection")
  return { receiver, routes: {}, check }
}

function identityOf({ slackState: { identity } }: Services) {
  if (!identity) return {}
  return {
    botUserId: identity.user,
    ...(identity.bot ? { botId: identity.bot } : {}),
    teamId: identity.team,
  }
}

function auditSender({ audit, config, outbound, now }: Services) {
  if (config.auditDays === 0) return undefined
  const sending = { audit, outbound, message: auditSentMessage }
  return async (user: string) => sendAudit(sending, user, await now())
}

function agentDeps(services: Services): AgentDeps {
  const { config, jobs, queue, outbound, beforeAck, afterAck, isOwnDirect, limits } = services
  return {
    jobs,
    queue,
    outbound,
    ...beforeAck,
    afterAck,
    isOwnDirect,
    rules: config.access,
    limits: { ...limits, maxQueuedPerUser: config.limits.maxQueuedPerUser },
    projects: config.docs.projects,
    operations: services.operations,
    sessions: services.sessions,
    greeted: services.greeted,
    onSurfaceOff: (code) => services.instrumentation.slack.surfaceOff(code),
    pollSoon: services.pulls?.pollSoon,
    askPreview: services.askPreview,
    hasMessages: services.docs.sendMessage !== undefined,
    gitHubHost: config.gitHubHost,
    permalink: (channel, ts) => permalink(services.slackState.identity, channel, ts),
    tokenRefused: () => services.slackState.refused,
    admin: {
      examine: () => examine(config, services.requestRedis, services.log),
      sendAudit: auditSender(services),
    },
    forgetting: services.forgetting,
    promptOrigin: config.promptOrigin,
  }
}
