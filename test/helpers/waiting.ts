import { randomUUID } from "node:crypto"
import type { Redis } from "ioredis"
import { submit } from "../../src/asking/store-request.ts"
import { INTERVALS, type Services } from "../../src/compose.ts"
import type { Context } from "../../src/jobs/context.ts"
import { createJobStore } from "../../src/jobs/job-store.ts"
import { eachAsk } from "../../src/jobs/rounds.ts"
import type { AttemptOutcome } from "../../src/jobs/send-round.ts"
import { WINDOW_MS } from "../../src/lib/time.ts"
import { OutsideMemory } from "../../src/limit/memory-outside-redis.ts"
import { createHealthStore, PAUSES } from "../../src/limit/pauses.ts"
import { readQueue } from "../../src/limit/queue-positions.ts"
import { SlotStore } from "../../src/limit/rolling-hour.ts"

export const PROJECT = "docs-site"

type Limits = ConstructorParameters<typeof SlotStore>[3]

export const CREATED: AttemptOutcome = { kind: "created", agentJobId: "agent-job" }
export const accepted = async () => CREATED

/** Opens one project's queue without a worker's loops. @param now absent: Redis's clock */
export function openQueue(
  redis: Redis,
  { delayMs = 0, ...limits }: Partial<Limits & { delayMs: number }> = {},
  now?: () => number,
) {
  const store = { redis, now }
  const broken: string[] = []
  const onBroken = (key: string) => void broken.push(key)
  const jobs = createJobStore(store, { delayMs, onBroken, onFailed: raise })
  const health = createHealthStore(store, onBroken)
  const slots = new SlotStore(store, jobs, health, {
    jobsPerHour: 99,
    jobsPerMonth: 0,
    reservedSlots: 0,
    windowMs: WINDOW_MS,
    arrivesWithinMs: 20_000,
    coldMs: 0,
    heldMs: 60_000,
    longestDelayMs: 60_000,
    pauses: PAUSES,
    firstPollMs: 1000,
    keyIdOf: () => "key",
    ...limits,
  })
  const submitting = {
    store,
    jobs,
    docs: { deployment: { offersMessages: async () => true } },
    settings: {
      limits: { maxQueuedPerUser: 10_000 },
      projects: { keys: [PROJECT] },
      timing: INTERVALS,
      auditDays: 0,
    },
    events: { asked() {} },
  }
  async function askFor(user: string): Promise<string> {
    const unique = randomUUID()
    const answer = await submit(asContext(submitting), {
      project: PROJECT,
      channel: "C1",
      user,
      prompt: { words: `prompt ${unique}` },
      delivery: unique,
    })
    if (answer.outcome !== "queued") throw new Error(`not queued: ${answer.outcome}`)
    return answer.id
  }
  /** Marks a job's card and preparations as done, so that it may start. */
  const mayStart = (id: string) =>
    jobs.change(id, ({ job }) => {
      const prepared = eachAsk(job, (ask) => ({ ...ask, isPrepared: true }))
      return { set: { card: "1.1", ...prepared } }
    })
  async function ask(user: string, n = 1): Promise<string[]> {
    const ids: string[] = []
    for (let i = 0; i < n; i += 1) ids.push(await askFor(user))
    for (const id of ids) await mayStart(id)
    return ids
  }
  /** Starts the next job, if one may start. @returns its grant with the token, or the wait in ms */
  async function start(outcome: AttemptOutcome | "in the air" = CREATED) {
    const token = randomUUID()
    const grant = await slots.grant(PROJECT, token)
    if ("waitMs" in grant) return grant
    if (outcome !== "in the air") await slots.settle(grant, token, outcome)
    return { ...grant, token }
  }
  /** Starts the next job, whose creation is not answered yet. */
  async function inTheAir() {
    const started = await start("in the air")
    if ("waitMs" in started) throw new Error("nothing was granted")
    return started
  }
  return {
    store,
    jobs,
    health,
    slots,
    broken,
    submitting,
    askFor,
    mayStart,
    ask,
    start,
    inTheAir,
  }
}

/** Reads a project's queue as the bot reports it. @param queue absent: the first project's */
export function queueFacts(
  services: Services,
  queue = services.front.settings.projects.keys[0] ?? "",
) {
  return readQueue(services.front, queue)
}

function raise(_kind: string, _job: object, error: unknown): never {
  throw error
}

/** Passes the parts of a context that a pass under test needs as if they were all. */
export function asContext(parts: object): Context {
  return parts as Context
}

/** Opens the memory of a machine's workers outside of Redis, which must be in order. */
export function openMemory(dataDir: string | undefined): OutsideMemory {
  const raiseBroken = (file: string, error: unknown) => raise(file, {}, error)
  return new OutsideMemory(dataDir, (error) => raise("", {}, error), raiseBroken)
}
