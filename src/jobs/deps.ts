import type { Config } from "../config/config.ts"
import { printOfKey } from "../config/secret.ts"
import { type Timing, WINDOW_MS } from "../config/timing.ts"
import type { DocsApi } from "../docs/client.ts"
import type { InFlight } from "../runtime/in-flight.ts"
import type { Outbound } from "../slack/web-outbound.ts"
import { currentTime } from "../store/clock.ts"
import type { RedisClient, Store } from "../store/script.ts"
import { endedNote } from "./audit.ts"
import { createCreationSlots } from "./creation-slots.ts"
import { createDrafts } from "./drafts.ts"
import type { JobEvents } from "./events.ts"
import { createJobMessages } from "./job-messages.ts"
import { JobStore, type OnBroken } from "./job-store.ts"
import { jobKeys } from "./keys.ts"
import { createOptionalOperations } from "./operations.ts"
import { HealthStore } from "./pause.ts"
import type { PrepareDeps } from "./prepare.ts"
import { createSlotStore } from "./slot-store.ts"
import { createStartedFiles } from "./started-files.ts"

/** Longest time from the grant to the request that creates a job, ms: loops stall, and Redis may be away briefly. */
const CREATION_MARGIN_MS = 5000

/** The parts that the use cases about jobs are built from; the same over either connection to Redis. */
interface JobsOptions {
  config: Config
  timing: Timing
  /** Wait before the first grant of a Redis without data, ms; 0 when no other process can live. */
  coldMs: number
  docs: DocsApi
  outbound: Outbound
  /** The bot's own user. Throws SlackError while Slack does not tell. */
  whoWeAre: () => Promise<{ user: string }>
  inFlight: InFlight
  /** Where the workers of this machine keep what they started. */
  dataDir: string | undefined
  events: JobEvents
  onBroken: OnBroken
  /** The name of a project, by its key. */
  nameOf: (project: string) => string
}

/** Dependencies of every use case about jobs, over one connection to Redis. */
export type JobsDeps = ReturnType<typeof createJobsDeps>

/** @param slack who somebody is, and what they refer to */
export function createJobsDeps(redis: RedisClient, slack: PrepareDeps, options: JobsOptions) {
  const { config, timing, docs, outbound, events, onBroken, nameOf } = options
  const { access, limits, startDelayMs: delayMs, auditDays, gitHubHost } = config
  const store: Store = { redis, now: undefined }
  const jobs = new JobStore(store, {
    onBroken,
    onChange: events.changed,
    opsFor: (changed) => endedNote(auditDays, changed),
  })
  const health = new HealthStore(store)
  const drafts = createDrafts(redis)
  const operations = createOptionalOperations(redis, {
    message: config.docs.messagePath ?? "",
    preview: "preview",
  })
  const projectKeys = config.docs.projects.map(({ key }) => key)
  const printOf = (project: string) => {
    const found = config.docs.projects.find(({ key }) => key === project)
    return found ? printOfKey(found.apiKey) : ""
  }
  const creationMs = config.docs.timeoutMs + CREATION_MARGIN_MS
  const slotStore = createSlotStore(store, jobs, health, {
    ...limits,
    creationMs,
    coldMs: options.coldMs,
    // A card that a dead worker has leased is posted by another within this time, look-up included.
    heldMs: 2 * timing.leaseMs,
    pauses: timing.pauses,
    printOf,
    onBroken,
  })
  const slots = createCreationSlots(slotStore, {
    jobsPerHour: limits.jobsPerHour,
    creationMs,
    sendWithinMs: CREATION_MARGIN_MS,
    firstPollMs: config.polling.minMs,
    onCreated: events.created,
    onLost: events.lost,
    inFlight: options.inFlight,
    files:
      options.dataDir === undefined
        ? undefined
        : createStartedFiles(options.dataDir, events.notKept),
  })
  const admins = [...access.admins]
  const placeOf = async (channel: string) => {
    const { user: botUser } = await options.whoWeAre()
    return { channel, botUser, admins }
  }
  const messages = createJobMessages({
    gitHubHost,
    admins,
    delayMs,
    projectOf: (project) => (projectKeys.length > 1 ? nameOf(project) : undefined),
    placeOf,
    save: (draft) => drafts.save(draft),
  })
  return {
    ...slack,
    store,
    jobs,
    health,
    drafts,
    operations,
    slots,
    messages,
    docs,
    outbound,
    events,
    onBroken,
    timing,
    inFlight: options.inFlight,
    /** The rules on who may ask, and who is an admin. */
    rules: access,
    limits: { ...limits, windowMs: WINDOW_MS },
    /** Keys of all configured projects. */
    projectKeys,
    /** Longest time from a grant to the latest moment that a creation can arrive at the service, ms. */
    creationMs,
    /** The delay before a request is sent, ms. */
    delayMs,
    /** The polling of jobs. */
    policy: config.polling,
    jobPath: config.docs.jobPath,
    docsHost: new URL(config.docs.baseUrl).host,
    /** The setting that holds a project's key. */
    settingOf: (project: string) =>
      config.docs.projects.find(({ key }) => key === project)?.isSingle === false
        ? "DOCS_PROJECTS"
        : "DOCS_API_KEY",
    /** Days that the audit is kept; 0: there is none. */
    auditDays,
    /** Projects of which a job was found where `DOCS_JOB_PATH` says, as far as this process knows. */
    foundOnce: new Set<string>(),
    nameOf,
    placeOf,
    /** Tells one key of a project from another, without telling it. */
    printOf,
    now: () => currentTime(store),
    /** Tells whether the service is known to accept follow-ups. */
    hasMessages: async (project: string) =>
      docs.sendMessage !== undefined &&
      (await operations.presence(project, "message")) !== "absent",
    /** The address at which a command is answered, for as long as Slack honors it. */
    replyUrl: async (id: string) => (await redis.get(jobKeys.reply(id))) ?? undefined,
  }
}
