import { composeAfter } from "./compose-after.ts"
import { createSlackServices } from "./compose-slack.ts"
import { createVisitorsServices } from "./compose-visitors.ts"
import type { Config } from "./config/config.ts"
import { secretsOf } from "./config/config.ts"
import { printOfKey } from "./config/secret.ts"
import { TIMING, type Timing, WINDOW_MS } from "./config/timing.ts"
import { createDocsClient } from "./docs/client.ts"
import { createProjectNames } from "./docs/project-names.ts"
import type { Trouble } from "./jobs/admin-notices.ts"
import { askedNote, auditEntries, endedNote, forgetInAudit } from "./jobs/audit.ts"
import { createCreationSlots } from "./jobs/creation-slots.ts"
import { createDrafts } from "./jobs/drafts.ts"
import { createForgetting } from "./jobs/forget.ts"
import type { Ask } from "./jobs/job.ts"
import { createJobMessages } from "./jobs/job-messages.ts"
import { JobStore } from "./jobs/job-store.ts"
import { jobKeys, queueKeys } from "./jobs/keys.ts"
import { strandedPass } from "./jobs/liveness.ts"
import { createOptionalOperations } from "./jobs/operations.ts"
import { HealthStore } from "./jobs/pause.ts"
import type { HourLimits } from "./jobs/places.ts"
import { createPollLessons } from "./jobs/poll-lessons.ts"
import { createSlotStore } from "./jobs/slot-store.ts"
import { moveOut, type SubmitDeps } from "./jobs/submit.ts"
import { tellPrivately } from "./jobs/write.ts"
import { type AdminTrouble, noWorker, savedForLater } from "./messages/admin-notice.ts"
import { instrumentJobs } from "./metrics/jobs.ts"
import { createMetrics } from "./metrics/metrics.ts"
import { instrumentService } from "./metrics/service.ts"
import { instrumentSlack } from "./metrics/slack.ts"
import { InFlight } from "./runtime/in-flight.ts"
import type { Log } from "./runtime/log.ts"
import { readVersion } from "./runtime/version.ts"
import { currentTime } from "./store/clock.ts"
import { type Address, connectRedis } from "./store/connect.ts"
import { createLastSeen } from "./store/last-seen.ts"
import type { RedisClient } from "./store/script.ts"
import { createSecretFilter } from "./text/secret-filter.ts"

/** Longest time from the grant to the request that creates a job, ms: loops stall, and Redis may be away briefly. */
const CREATION_MARGIN_MS = 5000

const BROKEN =
  "skipped an unreadable record in Redis: another version of the bot wrote it, or somebody changed it by hand. Run one version everywhere, or delete the key"

const NO_WORKER = "requests are waiting and no worker is running; start one, or check its log"

/** Things that are fixed by the way the process was started rather than by its environment. */
interface Circumstances {
  address: Address
  /** Wait before the first grant of a Redis without data, ms; 0 when no other process can live. */
  coldMs: number
  /** Other intervals than in production: hundreds of crashes are lived through in minutes. */
  timing?: Partial<Timing>
}

export type Services = ReturnType<typeof compose>

/** Builds everything long-lived, once. Disposing closes it in reverse. */
export function compose(config: Config, log: Log, where: Circumstances) {
  const timing: Timing = { ...TIMING, ...where.timing }
  /** Answers or fails within 2 s: for whatever Slack waits for. */
  const requestRedis = connectRedis(where.address, "requests", log)
  /** Waits for Redis as long as it takes: for the worker. */
  const workerRedis = connectRedis(where.address, "worker", log)
  const onBroken = onceByKey((key, error) => log.error({ key, error }, BROKEN))
  const metrics = createMetrics({ version: readVersion(), node: process.versions.node })
  const inFlight = new InFlight()
  const projects = config.docs.projects
  const names = createProjectNames(requestRedis, projects)
  const nameOf = (project: string) => names.nameOf(project)
  /** Writes what happens to the log and the metrics. */
  const instrumentation = {
    slack: instrumentSlack(log, metrics),
    jobs: instrumentJobs(log, metrics, nameOf),
    service: instrumentService(log, metrics),
  }
  const secrets = createSecretFilter(secretsOf(config))
  const docs = createDocsClient(config.docs, secrets, (operation, project, ms, end) => {
    if (!("error" in end)) names.worked(project)
    instrumentation.service.requested(operation, ms, end)
  })
  const slack = createSlackServices(config, {
    log,
    timing,
    secrets,
    instrumentation: instrumentation.slack,
    requestRedis,
    workerRedis,
  })
  const limits: HourLimits = { ...config.limits, windowMs: WINDOW_MS }
  const days = config.auditDays
  const keys = projects.map(({ key }) => key)
  const printOf = (project: string) => {
    const found = projects.find(({ key }) => key === project)
    return found ? printOfKey(found.apiKey) : ""
  }

  /** The stores over one connection: listeners and the worker each have their own. */
  const over = (redis: RedisClient) => {
    const store = { redis, now: undefined }
    const jobs = new JobStore(store, {
      onBroken,
      onChange: instrumentation.jobs.changed,
      opsFor: (changed) => endedNote(days, changed),
    })
    const health = new HealthStore(store)
    const now = () => currentTime(store)
    const operations = createOptionalOperations(redis, {
      message: config.docs.messagePath ?? "",
      preview: "preview",
    })
    const hasMessages = async (project: string) =>
      docs.sendMessage !== undefined && (await operations.presence(project, "message")) !== "absent"
    const submitting: SubmitDeps = {
      store,
      jobs,
      projects: keys,
      maxQueuedPerUser: config.limits.maxQueuedPerUser,
      delayMs: config.startDelayMs,
      cardsApartMs: timing.rates.channelPost[0],
      hasMessages,
      now,
      onAsked: instrumentation.jobs.asked,
      audited: (job, ask) => askedNote(days, job, ask),
    }
    const drafts = createDrafts(redis)
    return { redis, store, jobs, health, now, operations, hasMessages, submitting, drafts }
  }
  const front = over(requestRedis)
  const work = over(workerRedis)
  const creationMs = config.docs.timeoutMs + CREATION_MARGIN_MS
  const slotStore = createSlotStore(work.store, work.jobs, work.health, {
    ...config.limits,
    creationMs,
    coldMs: where.coldMs,
    // A card that a dead worker has leased is posted by another within this time, look-up included.
    heldMs: 2 * timing.leaseMs,
    pauses: timing.pauses,
    printOf,
    onBroken,
  })
  const slots = createCreationSlots(slotStore, {
    jobsPerHour: config.limits.jobsPerHour,
    creationMs,
    sendWithinMs: CREATION_MARGIN_MS,
    firstPollMs: config.polling.minMs,
    onCreated: instrumentation.jobs.created,
    onLost: instrumentation.jobs.lost,
    inFlight,
  })
  const admins = [...config.access.admins]
  const { gitHubHost } = config
  const messages = createJobMessages({
    gitHubHost,
    admins,
    delayMs: config.startDelayMs,
    projectOf: (project) => (projects.length > 1 ? nameOf(project) : undefined),
    placeOf: (channel) => placeOf(channel),
    save: (draft) => work.drafts.save(draft),
  })
  const after = composeAfter({
    config,
    log,
    timing,
    secrets,
    docs,
    slack,
    work,
    printOf,
    onSurfaceOff: (code) => instrumentation.slack.surfaceOff(code),
  })
  const lessons = createPollLessons({
    store: work.store,
    health: work.health,
    docs,
    printOf,
    pathPrint: config.docs.jobPath,
    probeMs: timing.probeMs,
    now: work.now,
    onPause: instrumentation.jobs.paused,
    onAccepted: instrumentation.jobs.resumed,
  })
  const settingOf = (project: string) =>
    projects.find(({ key }) => key === project)?.isSingle === false
      ? "DOCS_PROJECTS"
      : "DOCS_API_KEY"
  /** The facts that a notice about a trouble needs. */
  const noticeOf = async ({ project, kind, since }: Trouble): Promise<AdminTrouble> => ({
    kind: kind === "rate_limited" || kind === "outage" ? "key_refused" : kind,
    project,
    projectName: nameOf(project),
    host: new URL(config.docs.baseUrl).host,
    setting: settingOf(project),
    waiting: await requestRedis.zcard(queueKeys(project).wait),
    since,
    others: admins,
  })
  const placeOf = async (channel: string) => {
    const { user: botUser } = await slack.whoWeAre()
    return { channel, botUser, admins }
  }
  const visiting = { docs, ...slack, onBroken, nameOf, placeOf, printOf }
  return {
    config,
    log,
    metrics,
    instrumentation,
    limits,
    timing,
    secrets,
    inFlight,
    docs,
    requestRedis,
    workerRedis,
    ...slack,
    nameOf,
    noticeOf,
    admins,
    printOf,
    projectKeys: keys,
    front: {
      ...front,
      visitors: createVisitorsServices(config, { ...front, ...visiting }),
    },
    work: {
      ...work,
      slots,
      messages,
      creationMs,
      lessons,
      replyUrl: replyUrlIn(workerRedis),
      moveOut: (id: string, asks: readonly Ask[], previous: boolean) =>
        moveOut(work.submitting, id, asks, { previous }),
      visitors: createVisitorsServices(config, { ...work, ...visiting }),
    },
    after,
    lastSeen: createLastSeen(requestRedis),
    /** Tells whom it concerns that requests wait for a worker while none is alive. */
    tellStranded: () =>
      strandedPass({
        ...front,
        outbound: slack.outbound,
        admins: config.access.admins,
        tellSaved: (job, { user }) =>
          tellPrivately(
            { outbound: slack.outbound, replyUrl: replyUrlIn(requestRedis) },
            job,
            user,
            savedForLater(admins),
          ),
        onStranded: (waiting) => log.error({ waiting }, NO_WORKER),
        notice: noWorker,
      }),
    audit: () => auditEntries(work.store, days, onBroken),
    forgetting: createForgetting(workerRedis, work.jobs, config.startDelayMs, (user) =>
      forgetInAudit(workerRedis, user),
    ),
    async [Symbol.asyncDispose]() {
      // Commands that still wait for Redis will get no answer.
      if (workerRedis.status !== "ready") workerRedis.disconnect()
      await docs[Symbol.asyncDispose]()
      metrics.close()
      workerRedis.disconnect()
      requestRedis.disconnect()
    },
  }
}

/** Reads the address at which a command is answered, for as long as Slack honours it. */
function replyUrlIn(redis: RedisClient) {
  return async (id: string) => (await redis.get(jobKeys.reply(id))) ?? undefined
}

/** Tells of each key once, for as long as the process lives. */
function onceByKey(
  tell: (key: string, error: unknown) => void,
): (key: string, error: unknown) => void {
  const told = new Set<string>()
  return (key, error) => {
    if (told.has(key)) return
    told.add(key)
    tell(key, error)
  }
}
