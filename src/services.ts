import type { WebClient } from "@slack/web-api"
import { createGate, type Gate, type ProfileSource } from "./access/gate.ts"
import { auditedOutbox } from "./audit/audited-outbox.ts"
import type { AuditStore, Forget } from "./audit/entry.ts"
import type { Config } from "./config/config.ts"
import { TIMING, type Timing, WINDOW_MS } from "./config/timing.ts"
import type { DocsApi } from "./docs/api.ts"
import { DocsClient } from "./docs/client.ts"
import { createInstrumentation, type Instrumentation } from "./instrumentation/instrumentation.ts"
import {
  instrumentedDocs,
  instrumentedJobs,
  instrumentedOutbox,
  instrumentedPolls,
  instrumentedRead,
  instrumentedSlots,
} from "./instrumentation/instrumented.ts"
import type { HourLimits } from "./jobs/estimate.ts"
import type { CreationSlots, JobStore, Outbox, PollQueue, QueueStore } from "./jobs/ports.ts"
import type { ReadTalk } from "./jobs/prepare.ts"
import { BottleneckCreationSlots } from "./limits/creation-slots.ts"
import { createMetrics, type Metrics } from "./metrics/metrics.ts"
import { createAuditStore } from "./redis/audit-store.ts"
import { onceByKey } from "./redis/broken.ts"
import { createClock } from "./redis/clock.ts"
import { type Address, connectRedis, whenBack } from "./redis/connect.ts"
import { createForget } from "./redis/forget.ts"
import { createJobStore } from "./redis/job-store.ts"
import { createLastSeen, type LastSeen } from "./redis/last-seen.ts"
import { createOutbox } from "./redis/outbox.ts"
import { createPollQueue } from "./redis/poll-queue.ts"
import { cachedProfiles } from "./redis/profile-cache.ts"
import { createQueueStore } from "./redis/queue-store.ts"
import type { RedisClient } from "./redis/script.ts"
import { createSlotStore } from "./redis/slot-store.ts"
import type { Clock } from "./runtime/clock.ts"
import type { Log } from "./runtime/log.ts"
import { readVersion } from "./runtime/version.ts"
import { createWebClient } from "./slack/client.ts"
import { fetchIdentity, type Identity } from "./slack/identity.ts"
import type { Outbound } from "./slack/outbound.ts"
import { fetchProfile } from "./slack/profiles.ts"
import { createReadTalk } from "./slack/read-talk.ts"
import { createSlackState, learnFrom, type SlackState } from "./slack/state.ts"
import { createOutbound } from "./slack/web-outbound.ts"
import { createVisitorsServices, type VisitorsServices } from "./visitors-services.ts"

/** From the grant to the request, ms: loops stall, and Redis may be away for a moment. */
const CREATION_MARGIN_MS = 5000

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

/** Everything long-lived, built once. Disposing closes it in reverse. */
export interface Services extends AsyncDisposable {
  config: Config
  log: Log
  metrics: Metrics
  /** Writes what happens to the log and the metrics. */
  instrumentation: Instrumentation
  /** Answers or fails within 2 s: for whatever Slack waits for. */
  requestRedis: RedisClient
  /** Waits for Redis as long as it takes: for the worker. */
  workerRedis: RedisClient
  docs: DocsApi
  slack: WebClient
  slackState: SlackState
  /** Asks Slack once and whenever it did not answer yet. Throws SlackError. */
  whoWeAre: () => Promise<Identity>
  outbound: Outbound
  profileOf: ProfileSource
  gate: Gate
  jobs: JobStore
  queue: QueueStore
  lastSeen: LastSeen
  /** Redis' clock. */
  now: Clock
  /** Absent where none is kept. */
  audit: AuditStore | undefined
  forget: Forget
  limits: HourLimits
  timing: Timing
  visitors: VisitorsServices
  /** The same stores over the worker connection, for the worker's passes. */
  work: {
    jobs: JobStore
    queue: QueueStore
    slots: CreationSlots
    polls: PollQueue
    outbox: Outbox
    readTalk: ReadTalk
    visitors: VisitorsServices
  }
}

export function createServices(config: Config, log: Log, where: Circumstances): Services {
  const timing: Timing = { ...TIMING, ...where.timing }
  const requestRedis = connectRedis(where.address, "requests", log)
  const workerRedis = connectRedis(where.address, "worker", log)
  const onBroken = onceByKey((key, error) => log.error({ key, error }, BROKEN))
  const metrics = createMetrics({ version: readVersion(), node: process.versions.node })
  const instrumentation = createInstrumentation(log, metrics)
  const reading = instrumentedRead(instrumentation)
  const client = new DocsClient(config.docs)
  const docs = instrumentedDocs(client, instrumentation)
  const slack = createWebClient(
    config.slack.botToken,
    config.slack.apiUrl,
    log,
    timing.slackTimeoutMs,
  )
  const slackState = createSlackState(() => reading("auth.test", () => fetchIdentity(slack)))
  const outbound = createOutbound(slack, (method, outcome) => {
    learnFrom(slackState, outcome)
    instrumentation.calledSlack(method, outcome)
  })
  const limits: HourLimits = { ...config.limits, windowMs: WINDOW_MS }
  const whoWeAre = async () => slackState.identity ?? slackState.refresh()
  const profileSource: ProfileSource = async (user) => {
    const home = await whoWeAre()
    return reading("users.info", () => fetchProfile(slack, home, user))
  }
  const profileOf = cachedProfiles(requestRedis, profileSource)
  const creationMs = config.docs.timeoutMs + CREATION_MARGIN_MS
  const slots = new BottleneckCreationSlots(
    createSlotStore(workerRedis, {
      ...config.limits,
      creationMs,
      coldMs: where.coldMs,
      pauses: timing.pauses,
      onBroken,
    }),
    {
      jobsPerHour: config.limits.jobsPerHour,
      creationMs,
      sendWithinMs: CREATION_MARGIN_MS,
      firstPollMs: config.polling.minMs,
    },
  )
  reseedWhenBack(workerRedis, slots, log)
  const queueOptions = { leaseMs: timing.leaseMs, onBroken }
  const outbox = createOutbox(workerRedis, {
    ...queueOptions,
    rates: timing.rates,
    gapMs: timing.gapMs,
  })
  const now = createClock(requestRedis)
  const visiting = { docs, outbound, onBroken }
  const days = config.auditDays
  const audit = days > 0 ? createAuditStore(workerRedis, { days, onBroken }) : undefined
  const readTalk = createReadTalk(slack, whoWeAre, cachedProfiles(workerRedis, profileSource))
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
    whoWeAre,
    outbound,
    profileOf,
    gate: createGate(config.access, profileOf),
    jobs: instrumentedJobs(
      createJobStore(requestRedis, { ...config.limits, onBroken }),
      instrumentation,
    ),
    queue: createQueueStore(requestRedis, { ...limits, onBroken }),
    lastSeen: createLastSeen(requestRedis),
    now,
    audit,
    forget: createForget(workerRedis, { projects: config.docs.projects.map(({ name }) => name) }),
    limits,
    timing,
    visitors: createVisitorsServices(config, { ...visiting, redis: requestRedis, now }),
    work: {
      visitors: createVisitorsServices(config, {
        ...visiting,
        redis: workerRedis,
        now: createClock(workerRedis),
      }),
      jobs: instrumentedJobs(
        createJobStore(workerRedis, { ...config.limits, onBroken }),
        instrumentation,
      ),
      queue: createQueueStore(workerRedis, { ...limits, onBroken }),
      slots: instrumentedSlots(slots, instrumentation),
      polls: instrumentedPolls(
        createPollQueue(workerRedis, {
          ...queueOptions,
          leaseMs: timing.leaseMs + config.docs.timeoutMs,
        }),
        instrumentation,
      ),
      outbox: instrumentedOutbox(audit ? auditedOutbox(outbox, audit) : outbox, instrumentation),
      readTalk: (place, range) => reading("conversations.replies", () => readTalk(place, range)),
    },
    async [Symbol.asyncDispose]() {
      await slots.stop()
      await client[Symbol.asyncDispose]()
      metrics.close()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}

/** A Redis that lost its data hears of this process' creations before it grants anything again. */
function reseedWhenBack(redis: RedisClient, slots: BottleneckCreationSlots, log: Log): void {
  whenBack(redis, () => {
    slots.reseed().catch((error) => log.warn({ error }, "could not report creations to Redis"))
  })
}
