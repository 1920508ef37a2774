import { type SlackConnection, slackOver } from "./compose-slack.ts"
import type { BotSettings } from "./config/config.ts"
import { Evidence, MessageSupport } from "./docs-service/deployment.ts"
import type { DocsApi } from "./docs-service/docs-client.ts"
import { endedNotes } from "./jobs/audit-log.ts"
import type { Context } from "./jobs/context.ts"
import type { JobEvents } from "./jobs/events.ts"
import { projectOf } from "./jobs/job-keys.ts"
import { createJobStore } from "./jobs/job-store.ts"
import { createHealthStore } from "./jobs/pause-store.ts"
import type { Log } from "./lib/log.ts"
import { CreationSlots, creationDeadline } from "./limit/creation-limiter.ts"
import { OutsideMemory } from "./limit/outside-memory.ts"
import { SlotStore } from "./limit/rolling-hour.ts"
import type { RedisClient, Store } from "./store/script.ts"

/** Parts that both connections to Redis share. */
interface Shared {
  slack: SlackConnection
  docs: DocsApi
  settings: BotSettings
  events: JobEvents
  log: Log
}

/** Builds what passes and use cases about jobs share, over one connection to Redis. */
export function composeContext(redis: RedisClient, shared: Shared): Context {
  const { slack, docs, settings, events, log } = shared
  const store: Store = { redis, now: undefined }
  const jobs = createJobStore(store, {
    delayMs: settings.startDelayMs,
    onBroken: events.unreadable,
    onChange: (changed) => events.changed(changed),
    opsFor: (changed) => endedNotes(settings.auditDays, changed),
  })
  const isServed = (queue: string) => settings.projects.keys.includes(projectOf(queue))
  const messages = new MessageSupport(redis, settings.docs.messagePath)
  return {
    store,
    jobs,
    health: createHealthStore(store, events.unreadable, isServed),
    slack: slackOver(store, slack, settings),
    docs: { api: docs, messages, evidence: new Evidence() },
    settings,
    events,
    log,
  }
}

/** Builds what lets a worker start jobs within the hour. */
export function composeLimiter(
  { store, jobs, health, settings, events }: Context,
  dataDir: string | undefined,
): { slots: CreationSlots; memory: OutsideMemory } {
  const { limits, timing } = settings
  const creationDeadlineMs = creationDeadline(settings)
  const slotStore = new SlotStore(store, jobs, health, {
    ...limits,
    creationDeadlineMs,
    coldMs: timing.coldMs,
    // Another worker takes over a dead one's card and posts it within this time.
    heldMs: 2 * timing.leaseMs,
    pauses: timing.pauses,
    firstPollMs: settings.polling.minMs,
    keyIdOf: settings.projects.keyIdOf,
  })
  const memory = new OutsideMemory(dataDir, (error) => events.notKept(error))
  const slots = new CreationSlots(slotStore, {
    jobsPerHour: limits.jobsPerHour,
    creationDeadlineMs,
    onCreated: (job, outcome) => events.created(job, outcome),
    onLost: (queue, count) => events.lost(queue, count),
    memory,
  })
  return { slots, memory }
}
