import { createOutsiders } from "./asking/access-rules.ts"
import { type BotSettings, type Config, secretsOf, TIMING, type Timing } from "./config/config.ts"
import { MAX_START_DELAY_SECONDS } from "./config/environment-variables.ts"
import { createProjects } from "./config/projects.ts"
import { createDocsClient, type DocsApi } from "./docs-service/docs-api.ts"
import { messageTitle, openThread } from "./following/agent-session.ts"
import type { Context, JobEvents, SlackSide } from "./jobs/context.ts"
import { Deployment } from "./jobs/deployment.ts"
import { projectOf } from "./jobs/job-keys.ts"
import { createJobStore } from "./jobs/job-store.ts"
import type { Log } from "./lib/log.ts"
import { createSecretFilter, fingerprint, type SecretFilter } from "./lib/secrets.ts"
import { WINDOW_MS } from "./lib/time.ts"
import { OutsideMemory } from "./limit/memory-outside-redis.ts"
import { createHealthStore, PAUSES } from "./limit/pauses.ts"
import { SlotStore } from "./limit/rolling-hour.ts"
import { arrivesWithinMs, RoundStarter } from "./limit/start-rounds.ts"
import { countCalls, instrumentService, instrumentSlack } from "./operating/metrics/count-calls.ts"
import { JobReporter } from "./operating/metrics/count-jobs.ts"
import { createMetrics } from "./operating/metrics/define-metrics.ts"
import { PULL_INTERVALS } from "./pulls/github-schedule.ts"
import { GitHubPulls } from "./pulls/read-pull-request.ts"
import { STOPPING } from "./shutdown.ts"
import { createReadFile } from "./slack/accepted-text-files.ts"
import { createMembership, createPublicChannels } from "./slack/channel-membership.ts"
import { type OnCall, SLACK_TIMEOUT_MS, SlackClient } from "./slack/client.ts"
import { createSlackState, fetchIdentity } from "./slack/identity.ts"
import { cachedProfiles, fetchProfile } from "./slack/profiles.ts"
import { atPace, RATES } from "./slack/rate-limits.ts"
import { createReadThread } from "./slack/read-thread.ts"
import { createOutbound, type Outbound } from "./slack/write-to-slack.ts"
import { type Address, connectRedis } from "./store/connect.ts"
import type { RedisClient, Store } from "./store/script.ts"
import { createVisitorsContext } from "./visitors/read-visitors.ts"

/** Facts about the store, mostly from `openStore`, and timings that tests replace. */
interface Circumstances {
  address: Address
  /** Folder in which workers record what they started; absent if they record nothing. */
  dataDir?: string
  timing?: Partial<Timing>
}

/** Intervals of a real bot. */
export const INTERVALS: Timing = {
  ...TIMING,
  slackTimeoutMs: SLACK_TIMEOUT_MS,
  rates: RATES,
  pauses: PAUSES,
  pulls: PULL_INTERVALS,
}

export type Services = ReturnType<typeof compose>

/** Builds everything that exists once per process. Disposing the result closes its connections. */
export function compose(config: Config, log: Log, where: Circumstances) {
  const projects = createProjects(config.docs.projects)
  const settings: BotSettings = { ...config, projects, timing: { ...INTERVALS, ...where.timing } }
  /** Connection for work that Slack waits for: each command succeeds or fails within 2 s. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Connection for the worker: commands wait until Redis is back. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const metrics = createMetrics()
  const callCounts = countCalls(metrics)
  const slackMetrics = instrumentSlack(log, metrics, callCounts)
  const secrets = createSecretFilter(secretsOf(config))
  const docs = createDocsClient(config.docs, secrets, instrumentService(log, callCounts))
  const slack = connectSlack(settings, log, secrets, slackMetrics.called)
  const events = new JobReporter(log, metrics, projects)
  const shared = { slack, docs, settings, events, log }
  const front = composeContext(requestRedis, shared)
  const work = composeContext(workerRedis, shared)
  return {
    config,
    log,
    metrics,
    callCounts,
    slackMetrics,
    secrets,
    requestRedis,
    workerRedis,
    slack,
    /** Contexts of the use cases: `front` for listeners, `work` for the worker. */
    front,
    work,
    frontVisitors: createVisitorsContext(front),
    workVisitors: createVisitorsContext(work),
    limiter: composeLimiter(work, where.dataDir),
    /** Access to pull requests; without `GITHUB_TOKEN`, cards only show links to them. */
    github: config.github && {
      tokenHash: fingerprint(config.github.token),
      pulls: new GitHubPulls(
        { ...config.github, timeoutMs: settings.timing.gitHubTimeoutMs },
        secrets,
      ),
    },
    async [Symbol.asyncDispose]() {
      await docs[Symbol.asyncDispose]()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}

/** Parts that both connections to Redis share. */
interface Shared {
  slack: SlackConnection
  docs: DocsApi
  settings: BotSettings
  events: JobEvents
  log: Log
}

/** Builds what passes and use cases about jobs share, over one connection to Redis. */
function composeContext(redis: RedisClient, shared: Shared): Context {
  const { slack, docs, settings, events, log } = shared
  const store: Store = { redis, now: undefined }
  const jobs = createJobStore(store, {
    delayMs: settings.startDelayMs,
    onBroken: events.unreadable,
    onFailed: events.stepFailed,
    onChange: (changed) => events.changed(changed),
    auditDays: settings.auditDays,
  })
  const isServed = (queue: string) => settings.projects.keys.includes(projectOf(queue))
  return {
    store,
    jobs,
    health: createHealthStore(store, events.unreadable, isServed),
    slack: slackOver(store, slack, settings),
    docs: { api: docs, deployment: new Deployment(store, settings.docs) },
    settings,
    events,
    log,
  }
}

/** Builds what lets a worker start jobs within the hour. */
function composeLimiter(
  { store, jobs, health, settings, events }: Context,
  dataDir: string | undefined,
): { slots: RoundStarter; memory: OutsideMemory } {
  const { limits, timing } = settings
  const slotStore = new SlotStore(store, jobs, health, {
    ...limits,
    windowMs: WINDOW_MS,
    arrivesWithinMs: arrivesWithinMs(settings),
    coldMs: timing.coldMs,
    // Another worker takes over a dead one's card and posts it within this time.
    heldMs: 2 * timing.leaseMs,
    longestDelayMs: MAX_START_DELAY_SECONDS * 1000,
    pauses: timing.pauses,
    firstPollMs: settings.polling.minMs,
    keyIdOf: settings.projects.keyIdOf,
  })
  const memory = new OutsideMemory(dataDir, (error) => events.notKept(error), events.unreadable)
  return { slots: new RoundStarter(slotStore, { events, memory }), memory }
}

type SlackConnection = ReturnType<typeof connectSlack>

/** Builds the client of Slack, and what it has learned of the bot. */
function connectSlack(
  { slack: { botToken, apiUrl }, timing: { slackTimeoutMs: timeoutMs } }: BotSettings,
  log: Log,
  secrets: SecretFilter,
  called: OnCall,
) {
  const onCall: OnCall = (method, outcome) => {
    // A response_url needs no token, so its success proves nothing about the token.
    if (method !== "response_url" || outcome !== "ok") state.learn(outcome)
    called(method, outcome)
  }
  const client = new SlackClient(botToken, apiUrl, log, { timeoutMs, secrets, onCall })
  const state = createSlackState(() => fetchIdentity(client))
  return { client, state }
}

/** Builds what the bot does in Slack, with what it keeps of that in this Redis. */
function slackOver(
  store: Store,
  { client, state }: SlackConnection,
  { access, timing }: BotSettings,
): SlackSide {
  const { whoWeAre } = state
  const unpaced = createOutbound(client)
  const open = (of: { channel: string; thread: string }, title?: string) =>
    openThread(store, { outbound: unpaced, state }, of, title)
  const paced = atPace(unpaced, store, {
    rates: timing.rates,
    // A stopping process has no longer, and every lease outlasts it.
    maxWaitMs: STOPPING.workMs,
  })
  const outbound: Outbound = {
    ...paced,
    /** Gives each message to a person a title, where Slack shows an agent's messages as threads. */
    async direct(user, message) {
      const { channel, ts } = await paced.direct(user, message)
      await open({ channel, thread: ts }, messageTitle(message))
      return { channel, ts }
    },
  }
  const profileOf = cachedProfiles(store.redis, async (user) =>
    fetchProfile(client, await whoWeAre(), user),
  )
  const outsidersAmong = createOutsiders(access, profileOf, whoWeAre)
  const places = {
    ...createMembership(client, () => state.identity?.scopes),
    isPublic: createPublicChannels(client),
    openThread: open,
  }
  return {
    outbound,
    unpaced,
    state,
    places,
    profileOf,
    readThread: createReadThread(client, whoWeAre, profileOf, outsidersAmong),
    readFile: createReadFile(client),
    outsidersAmong,
  }
}
