import { type PauseLengths, TIMING, WINDOW_MS } from "../config/timing.ts"
import type { Job } from "../jobs/job.ts"
import { LIGHT_USER_CREATIONS } from "../jobs/played-hour.ts"
import type { CreationOutcome, Grant } from "../jobs/ports.ts"
import { ignoreBroken, type OnBroken, readable, typed } from "./broken.ts"
import { redisTime } from "./clock.ts"
import { toJob, toPrompt } from "./job-record.ts"
import { KEEP_MS } from "./job-store.ts"
import { JOB_PREFIX, keys } from "./keys.ts"
import { type Now, nowArgument, type RedisClient } from "./script.ts"
import { beginWait, created, endCreating, putBack, reserve } from "./scripts/create.ts"
import { remember } from "./scripts/remember.ts"

/** "Try again at once" is no pause: a service that says so without end would be asked without end. ms */
const SHORTEST_PAUSE_MS = 1000

/** What the requester is told where our own record of the request is broken. */
const UNREADABLE = "the bot cannot read what it stored of it; please ask anew"
/** Until another try after such a one, ms. */
const SOON_MS = 250

export interface SlotLimits {
  jobsPerHour: number
  reservedSlots: number
  /** Longest time a creation may be on its way, ms: the slot is stamped that far ahead. */
  creationMs: number
  /** Wait before the first grant of a Redis without data, ms: living processes report first. */
  coldMs: number
  windowMs?: number
  pauses?: PauseLengths
  onBroken?: OnBroken
  now?: Now
}

/** One creation as the log knows it. */
export interface CreationLogEntry {
  member: string
  /** ms */
  at: number
}

/** One creation as the process knows it that started it. */
export interface OwnCreation {
  job: Job
  token: string
  /** Absent while it is in flight. */
  outcome: CreationOutcome | undefined
  /** Since the latest moment it can have arrived at the service, ms; negative while in flight. */
  ageMs: number
}

export interface SlotStore {
  /** A Redis that may have forgotten something grants nothing for a while: that while begins now. */
  beginWait(): Promise<void>
  /** What `reserve` would do now: 0 = something can start, else ms to wait. */
  peek(project: string): Promise<number>
  reserve(project: string, token: string): Promise<Grant | { waitMs: number }>
  settle(
    grant: Pick<Grant, "job">,
    token: string,
    outcome: CreationOutcome,
    pollMs: number,
  ): Promise<void>
  sweep(project: string): Promise<number>
  /** How long each creation of the rolling hour still counts, ms. */
  live(project: string): Promise<number[]>
  /**
   * Tells a Redis that may have lost them of these creations. Resolves to the ids of jobs that are
   * in flight for it, or that it took for waiting: what came of them must be settled again.
   */
  reseed(project: string, own: readonly OwnCreation[]): Promise<string[]>
}

export function createSlotStore(redis: RedisClient, limits: SlotLimits): SlotStore {
  const windowMs = limits.windowMs ?? WINDOW_MS
  const pauses = limits.pauses ?? TIMING.pauses
  const at = () => nowArgument(limits.now)
  const { onBroken = ignoreBroken } = limits

  function askToReserve(project: string, token: string, peek: boolean) {
    const k = keys.project(project)
    return reserve(
      redis,
      [
        keys.grant(token),
        k.log,
        k.wait,
        k.creating,
        keys.epoch,
        k.pause,
        k.last,
        keys.outbox,
        keys.busy,
      ],
      [
        at(),
        token,
        peek ? "1" : "",
        limits.jobsPerHour,
        windowMs,
        limits.creationMs,
        limits.creationMs,
        limits.reservedSlots,
        LIGHT_USER_CREATIONS,
        limits.coldMs,
        JOB_PREFIX,
        keys.waiting(project, ""),
        project,
      ],
    )
  }

  /** Undefined when what is stored cannot be read: nothing was sent, so the slot is given back. */
  async function load(project: string, id: string, token: string): Promise<Grant | undefined> {
    const own = { job: keys.job(id), prompt: keys.prompt(id) }
    const [hash = {}, words] = await Promise.all([
      typed(own.job, redis.hgetall(own.job), onBroken),
      typed(own.prompt, redis.get(own.prompt), onBroken),
    ])
    const job = readable(own.job, () => toJob(id, hash), onBroken)
    const prompt = readable(own.prompt, () => toPrompt(id, words ?? ""), onBroken)
    if (job && prompt) return { job, prompt }
    await end(project, id, hash.user ?? "", token, { kind: "refused", detail: UNREADABLE })
    return undefined
  }

  /** Ends a creation without a job to follow; `rest` says how long the project pauses after it. */
  function end(
    project: string,
    id: string,
    user: string,
    token: string,
    { kind, detail }: Extract<CreationOutcome, { detail: string }>,
    rest = { firstMs: 0, longestMs: 0 },
  ): Promise<number> {
    const k = keys.project(project)
    return endCreating(
      redis,
      [keys.job(id), k.creating, k.log, keys.outbox, k.pause, keys.prompt(id)],
      [at(), id, token, user, kind, detail, rest.firstMs, rest.longestMs, KEEP_MS],
    )
  }

  return {
    async beginWait() {
      await beginWait(redis, [keys.epoch], [at(), limits.coldMs])
    },

    async peek(project) {
      const [outcome, value] = await askToReserve(project, "peek", true)
      if (outcome === "go") return 0
      return outcome === "empty" ? Number.POSITIVE_INFINITY : Number(value)
    },

    async reserve(project, token) {
      const [outcome, value] = await askToReserve(project, token, false)
      if (outcome === "go") return (await load(project, value, token)) ?? { waitMs: SOON_MS }
      return { waitMs: outcome === "empty" ? Number.POSITIVE_INFINITY : value }
    },

    async settle({ job }, token, outcome, pollMs) {
      const k = keys.project(job.project)
      const own = [keys.job(job.id), k.creating, k.log]
      const args = [at(), job.id, token, job.user]
      if (outcome.kind === "created") {
        const rest = [outcome.agentJobId, pollMs, outcome.prLink ?? ""]
        await created(redis, [...own, keys.due, keys.outbox, k.pause], [...args, ...rest])
      } else if (outcome.kind === "put_back") {
        await putBack(
          redis,
          [...own, k.wait, keys.waiting(job.project, job.user), keys.outbox, k.pause],
          [...args, outcome.reason ?? "", pauseLength(outcome), pauses.firstMs, pauses.longestMs],
        )
      } else {
        const rest = { firstMs: pauses.outageFirstMs, longestMs: pauses.longestMs }
        await end(job.project, job.id, job.user, token, outcome, rest)
      }
    },

    async sweep(project) {
      const k = keys.project(project)
      const overdue = await redis.zrangebyscore(
        k.creating,
        "-inf",
        limits.now ? limits.now() : await redisTime(redis),
      )
      let ended = 0
      // Whose it was does not matter, as the slot stays.
      for (const id of overdue)
        ended += await end(project, id, "", "", { kind: "unknown", detail: "" })
      return ended
    },

    async live(project) {
      const flat = await redis.zrange(keys.project(project).log, "0", "-1", "WITHSCORES")
      const now = limits.now ? limits.now() : await redisTime(redis)
      return pairs(flat).flatMap(({ at }) => (at > now - windowMs ? at + windowMs - now : []))
    },

    async reseed(project, own) {
      const k = keys.project(project)
      if (own.length === 0) return []
      const flat = own.flatMap(({ job, token, ageMs }) => [job.id, job.user, token, ageMs])
      return remember(
        redis,
        [k.log, k.wait, k.creating, keys.outbox],
        [at(), limits.creationMs, windowMs, JOB_PREFIX, keys.waiting(project, ""), ...flat],
      )
    },
  }
}

function pauseLength(outcome: Extract<CreationOutcome, { kind: "put_back" }>): string | number {
  if (outcome.reason === "key_refused" || outcome.reason === "forbidden") return "resume"
  return outcome.pauseMs === undefined ? "" : Math.max(outcome.pauseMs, SHORTEST_PAUSE_MS)
}

export function pairs(flat: readonly string[]): CreationLogEntry[] {
  return flat.flatMap((member, i) =>
    i % 2 === 0 ? [{ member, at: Number(flat[i + 1] ?? 0) }] : [],
  )
}
