import { createGate, type ProfileSource } from "../access/gate.ts"
import { auditedOutbox } from "../audit/audited-outbox.ts"
import type { Config } from "../config/config.ts"
import { secretsOf } from "../config/secrets-of.ts"
import { TIMING, type Timing, WINDOW_MS } from "../config/timing.ts"
import { DocsClient } from "../docs/client.ts"
import { slow } from "../errors/slack-error.ts"
import { instrumentJobs } from "../instrumentation/ports.ts"
import { instrumentDocs, instrumentStanding } from "../instrumentation/service.ts"
import { instrumentSlack } from "../instrumentation/slack.ts"
import type { HourLimits } from "../jobs/estimate.ts"
import type { Readers } from "../jobs/prepare.ts"
import { queuesOf } from "../jobs/queues.ts"
import { createMetrics } from "../metrics/metrics.ts"
import { createAuditStore } from "../redis/audit-store.ts"
import { onceByKey } from "../redis/broken.ts"
import { createClock } from "../redis/clock.ts"
import { type Address, connectRedis } from "../redis/connect.ts"
import { createDeferredDeliveries } from "../redis/deferred-deliveries.ts"
import { createForget } from "../redis/forget.ts"
import { createJobStore } from "../redis/job-store.ts"
import { createLastSeen } from "../redis/last-seen.ts"
import { withinNameBudget } from "../redis/name-lookups.ts"
import {
  namedJobs,
  namedOperations,
  namedOutbox,
  namedPolls,
  namedStanding,
} from "../redis/named.ts"
import { namedQueue } from "../redis/named-queues.ts"
import { createOptionalOperations } from "../redis/optional-operations.ts"
import { createOutbox } from "../redis/outbox.ts"
import { createPollQueue } from "../redis/poll-queue.ts"
import { createPreviewStore } from "../redis/preview-store.ts"
import { type KeyPrint, printOf, printOfJobPath } from "../redis/print.ts"
import { cachedProfiles } from "../redis/profile-cache.ts"
import { createProjectNames, type ReadProjectNames } from "../redis/project-names.ts"
import { createProjectRegister } from "../redis/project-register.ts"
import { createQueueStore } from "../redis/queue-store.ts"
import type { RedisClient } from "../redis/script.ts"
import { createServiceStanding } from "../redis/service-standing.ts"
import { createWakeUps, pausesOf } from "../redis/wake-ups.ts"
import { InHand } from "../runtime/in-hand.ts"
import type { Log } from "../runtime/log.ts"
import { readVersion } from "../runtime/version.ts"
import { within } from "../runtime/within.ts"
import { createWebClient } from "../slack/client.ts"
import { fetchIdentity } from "../slack/identity.ts"
import { createIsOwnDirect } from "../slack/own-direct.ts"
import { fetchProfile } from "../slack/profiles.ts"
import { createReadFile } from "../slack/read-file.ts"
import { createReadTalk } from "../slack/read-talk.ts"
import { createSlackState, learnFrom } from "../slack/state.ts"
import { createOutbound, type OnCall } from "../slack/web-outbound.ts"
import { createSecretFilter } from "../text/secret-filter.ts"
import { createPullServices } from "./pulls.ts"
import { createSlots, reseedWhenBack } from "./slots.ts"
import { createVisitorsServices } from "./visitors.ts"

const BROKEN =
  "a record in Redis cannot be read and is passed over: it was written by another version of the bot, or changed by hand. Run one version everywhere; else delete the key"

/** What is fixed by the way the process was started rather than by its environment. */
export interface Circumstances {
  address: Address
  /** Wait before the first grant of a Redis without data, ms; 0 when no other process can live. */
  coldMs: number
  /** Other intervals than in production: hundreds of crashes are lived through in minutes. */
  timing?: Partial<Timing>
}

export type Services = ReturnType<typeof createServices>

/** Everything long-lived, built once. Disposing closes it in reverse. */
export function createServices(config: Config, log: Log, where: Circumstances) {
  const timing: Timing = { ...TIMING, ...where.timing }
  /** Answers or fails within 2 s: for whatever Slack waits for. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Waits for Redis as long as it takes: for the worker. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const onBroken = onceByKey((key, error) => log.error({ key, error }, BROKEN))
  const metrics = createMetrics({ version: readVersion(), node: process.versions.node })
  /** Writes what happens to the log and the metrics. */
  const inHand = new InHand()
  const instrumentation = {
    slack: instrumentSlack(log, metrics),
    jobs: instrumentJobs(log, metrics, inHand),
  }
  const { reading } = instrumentation.slack
  const secrets = createSecretFilter(secretsOf(config))
  const client = new DocsClient(config.docs, secrets)
  const docs = instrumentDocs(client, metrics, log)
  const { botToken, apiUrl } = config.slack
  const slack = createWebClient(botToken, apiUrl, log, {
    timeoutMs: timing.slackTimeoutMs,
    secrets,
  })
  const slackState = createSlackState(() => reading("auth.test", () => fetchIdentity(slack)))
  const onCall: OnCall = (method, outcome) => {
    learnFrom(slackState, outcome)
    instrumentation.slack.called(method, outcome)
  }
  const outbound = createOutbound(slack, onCall, secrets)
  const isOwnDirect = createIsOwnDirect(slack)
  const writing = { outbound, isOwnDirect }
  const limits: HourLimits = { ...config.limits, windowMs: WINDOW_MS }
  /** Asks Slack once and whenever it did not answer yet. Throws SlackError. */
  const whoWeAre = async () => slackState.identity ?? slackState.refresh()
  const profileSource: ProfileSource = async (user) => {
    const home = await whoWeAre()
    return reading("users.info", () => fetchProfile(slack, home, user))
  }
  const promptlyWhoWeAre = async () =>
    slackState.identity ?? within(timing.profileWithinMs, whoWeAre(), () => slow("auth.test"))
  const patience = { withinMs: timing.profileWithinMs }
  const profiles = cachedProfiles(requestRedis, profileSource, patience)
  const profilesForNames = (redis: RedisClient) =>
    cachedProfiles(redis, withinNameBudget(redis, profileSource), patience)
  const forNames = profilesForNames(requestRedis)
  const readTalk = createReadTalk(slack, whoWeAre, profilesForNames(workerRedis).patiently)
  const readFile = createReadFile(slack, botToken)
  const { projects } = config.docs
  const prints = new Map(projects.map(({ name, apiKey }) => [name, printOf(apiKey)]))
  const keyPrintBy =
    (names: ReadProjectNames): KeyPrint =>
    async (stored) =>
      prints.get((await names()).nameOf(stored)) ?? ""
  const jobPathPrint = printOfJobPath(config.docs)
  const names = createProjectNames(workerRedis, config.docs)
  const slotOptions = { timing, coldMs: where.coldMs, names, keyPrint: keyPrintBy(names), onBroken }
  const slots = createSlots(config, workerRedis, slotOptions)
  reseedWhenBack(workerRedis, slots, log)
  const outbox = namedOutbox(createOutbox(workerRedis, { ...timing, onBroken }), names)
  const days = config.auditDays
  /** Absent where none is kept. */
  const audit = days > 0 ? createAuditStore(workerRedis, { days, onBroken }) : undefined
  const leaseMs = timing.leaseMs + config.docs.timeoutMs
  const polls = namedPolls(createPollQueue(workerRedis, { leaseMs, onBroken }), names)
  const operationPaths = { message: config.docs.messagePath ?? "", preview: "preview" }
  const storesOver = (redis: RedisClient, names: ReadProjectNames) => {
    const stored = async () => (await names()).stored
    /** Redis' clock. */
    const now = createClock(redis)
    const jobs = namedJobs(
      createJobStore(redis, { ...config.limits, projects: stored, onBroken }),
      names,
    )
    const standing = { keyPrint: keyPrintBy(names), jobPathPrint, onBroken }
    return {
      now,
      jobs: instrumentation.jobs.store(jobs),
      queue: namedQueue(createQueueStore(redis, { ...limits, onBroken }), names),
      operations: namedOperations(createOptionalOperations(redis, operationPaths, onBroken), names),
      standing: instrumentStanding(
        namedStanding(createServiceStanding(redis, standing), names),
        log,
      ),
      visitors: createVisitorsServices(config, { redis, names, docs, ...writing, onBroken, now }),
    }
  }
  const requestNames = createProjectNames(requestRedis, config.docs)
  const accounts = new Map(projects.map(({ name, apiKey }) => [name, printOf(apiKey)]))
  const previewsOver = (redis: RedisClient) =>
    createPreviewStore(redis, {
      leaseMs,
      accountOf: (project) => accounts.get(project) ?? project,
    })
  const requestPreviews = previewsOver(requestRedis)
  const pulls = createPullServices(
    config,
    { worker: workerRedis, requests: requestRedis },
    { timing, onBroken, secrets },
  )
  return {
    config,
    log,
    metrics,
    instrumentation,
    requestRedis,
    workerRedis,
    docs,
    slack,
    slackState,
    outbound,
    prompt: {
      gate: createGate(config.access, profiles.promptly),
      profileForName: forNames.promptly,
      whoWeAre: promptlyWhoWeAre,
    },
    /** Waits for Slack as long as the client does: for what comes after an acknowledgement. */
    patient: {
      gate: createGate(config.access, profiles.patiently),
      profileForName: forNames.patiently,
      whoWeAre,
    },
    isOwnDirect,
    askPreview: (job: string, by: string) => requestPreviews.ask(job, by),
    /** Absent where there is no token for GitHub. */
    pulls,
    profileOf: profiles.patiently,
    ...storesOver(requestRedis, requestNames),
    names: requestNames,
    lastSeen: createLastSeen(requestRedis),
    deferred: createDeferredDeliveries(requestRedis, { leaseMs: timing.leaseMs, onBroken }),
    audit,
    forget: createForget(workerRedis, { queues: async () => queuesOf((await names()).stored) }),
    limits,
    timing,
    inHand,
    /** The same stores over the worker connection, for the worker's passes. */
    work: {
      ...storesOver(workerRedis, names),
      previews: previewsOver(workerRedis),
      register: createProjectRegister(workerRedis, names, { graceMs: timing.abandonedMs }),
      wakeUps: createWakeUps(workerRedis, { troubles: pausesOf(names), log }),
      slots: instrumentation.jobs.slots(slots),
      polls: instrumentation.jobs.polls(polls),
      outbox: instrumentation.jobs.outbox(audit ? auditedOutbox(outbox, audit) : outbox),
      readers: {
        readTalk: (place, range) => reading("conversations.replies", () => readTalk(place, range)),
        readFile: (file, signal) => reading("files.info", () => readFile(file, signal)),
      } satisfies Readers,
    },
    async [Symbol.asyncDispose]() {
      // What still waits for a Redis that is away waits in vain.
      if (workerRedis.status !== "ready") workerRedis.disconnect()
      await slots.stop()
      await client[Symbol.asyncDispose]()
      metrics.close()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}
