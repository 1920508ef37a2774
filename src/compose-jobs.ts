import type { Config } from "./config/config.ts"
import { fingerprint } from "./config/secret.ts"
import type { Timing } from "./config/timing.ts"
import type { DocsApi } from "./docs-service/docs-client.ts"
import { createOptionalOperations } from "./docs-service/optional-operations.ts"
import { openThread } from "./following/agent-session.ts"
import { endedNotes } from "./jobs/audit-log.ts"
import type { Context, Readers, SlackSide } from "./jobs/context.ts"
import { createDrafts } from "./jobs/drafts.ts"
import type { JobEvents } from "./jobs/events.ts"
import { jobKeys, projectOf } from "./jobs/job-keys.ts"
import { createJobStore } from "./jobs/job-store.ts"
import { createHealthStore } from "./jobs/pause-store.ts"
import {
  CREATION_MARGIN_MS,
  type CreationSlots,
  createCreationSlots,
} from "./limit/creation-limiter.ts"
import { createOutsideMemory, type OutsideMemory } from "./limit/outside-memory.ts"
import { createSlotStore } from "./limit/rolling-hour.ts"
import { atPace } from "./slack/rate-limits.ts"
import type { OnBroken } from "./store/records.ts"
import type { RedisClient, Store } from "./store/script.ts"
import { currentTime } from "./store/script.ts"

/** Parts that both connections to Redis share. */
interface Given
  extends Readers,
    Omit<SlackSide, "openThread" | "outbound" | "channelFacts" | "replyUrl"> {
  config: Config
  timing: Timing
  dataDir: string | undefined
  docs: DocsApi
  events: JobEvents
  onBroken: OnBroken
  nameOf: (project: string) => string
}

/** Builds what the use cases about jobs need, over one connection to Redis. */
export function composeJobs(
  redis: RedisClient,
  given: Given,
): Context & { slots: CreationSlots; memory: OutsideMemory } {
  const { config, timing, dataDir, docs, events, onBroken, nameOf } = given
  const { access, limits, auditDays, gitHubHost } = config
  const store: Store = { redis, now: undefined }
  const jobs = createJobStore(store, {
    delayMs: config.startDelayMs,
    onBroken,
    onChange: events.changed,
    opsFor: (changed) => endedNotes(auditDays, changed),
  })
  const projectKeys = config.docs.projects.map(({ key }) => key)
  const isNamed = config.docs.projects.some(({ isSingle }, _, all) => !isSingle || all.length > 1)
  const isServed = (queue: string) => projectKeys.includes(projectOf(queue))
  const health = createHealthStore(store, onBroken, isServed)
  const drafts = createDrafts(redis)
  const operations = createOptionalOperations(redis, { message: config.docs.messagePath ?? "" })
  const keyIds = new Map(config.docs.projects.map(({ key, apiKey }) => [key, fingerprint(apiKey)]))
  const keyIdOf = (project: string) => keyIds.get(project) ?? ""
  const creationDeadlineMs = config.docs.timeoutMs + CREATION_MARGIN_MS
  const slotStore = createSlotStore(store, jobs, health, {
    ...limits,
    creationDeadlineMs,
    coldMs: timing.coldMs,
    // Another worker takes over a dead one's card and posts it within this time.
    heldMs: 2 * timing.leaseMs,
    pauses: timing.pauses,
    firstPollMs: config.polling.minMs,
    keyIdOf,
  })
  const memory = createOutsideMemory(dataDir, events.notKept)
  const slots = createCreationSlots(slotStore, {
    jobsPerHour: limits.jobsPerHour,
    creationDeadlineMs,
    onCreated: events.created,
    onLost: events.lost,
    memory,
  })
  const admins: readonly string[] = [...access.admins]
  return {
    ...given,
    outbound: atPace(given.unpaced, store, timing.rates),
    // In Redis.
    store,
    jobs,
    health,
    drafts,
    operations,
    slots,
    memory,
    /** Returns the response_url of the command that asked, while Slack accepts it. */
    replyUrl: async (id: string) => (await redis.get(jobKeys.reply(id))) ?? undefined,
    now: () => currentTime(store),
    openThread: (of: { channel: string; thread: string }) =>
      openThread({ ...given, store, outbound: given.unpaced }, of),
    // From the settings.
    rules: access,
    admins,
    limits,
    auditDays,
    gitHubHost,
    projectKeys,
    keyIdOf,
    creationDeadlineMs,
    /** Returns the project's name for cards; undefined if it's the only one and has none. */
    labelOf: (project: string) => (isNamed ? nameOf(project) : undefined),
    // Learned from Slack and the service.
    channelFacts: async (channel: string) => {
      const { user: botUser } = await given.whoWeAre()
      return { channel, botUser, admins }
    },
    hasMessages: async (project: string) =>
      docs.sendMessage !== undefined && !(await operations.isAbsent(project, "message")),
    /** Projects for which this process has found a job at `DOCS_JOB_PATH`. */
    foundOnce: new Set<string>(),
    /** Job by queue whose creation got a 403, until the service answers another one otherwise. */
    suspects: new Map<string, string>(),
    /** Job by project that this process could not read last; an accepted read clears it. */
    refusedReads: new Map<string, string>(),
  }
}
