import type { DocsApi } from "../docs/api.ts"
import { DocsError } from "../docs/errors.ts"
import type { AgentJob } from "../docs/schema.ts"
import { unless } from "../runtime/unless.ts"
import type { Ending, Followed } from "./job.ts"
import type { Observation, PollQueue } from "./ports.ts"

export interface PollPolicy {
  minMs: number
  maxMs: number
  /** After this a job that is still active is reported as lost track of, ms. */
  timeoutMs: number
}

/** Polls asked for in one claim; also the number of requests in flight. */
const BATCH = 64
const IDLE_REST_MS = 250
/** 404 this many times in a row means the job is gone: one alone was seen right after a creation. */
const MISSES_TO_GONE = 2

/** A job that got a message may be reported with its old ending for a moment before it turns active. */
const TURNING_MS = 20_000

/** One pass: polls every job that is due. Returns how long to rest, ms. */
export async function pollPass(
  { queue, docs, now, random, signal }: PollDeps,
  policy: PollPolicy,
  onPoll: OnPoll = () => {},
): Promise<number> {
  const { lease, jobs } = await queue.claim(BATCH)
  const restMs = Math.min(IDLE_REST_MS, policy.minMs / 2)
  if (jobs.length === 0) return restMs
  const unchanged: { id: string; waitMs: number }[] = []
  await Promise.all(
    jobs.map(async (job) => {
      const answer = await unless(signal, ask(docs, job), undefined)
      if (!answer) return unchanged.push({ id: job.id, waitMs: 0 })
      const found = observe(job, answer, policy, now(), random())
      onPoll(job, answer instanceof DocsError ? answer.fault : "ok", found)
      if (isNews(job, found)) return queue.observed(lease, job, found)
      return unchanged.push({ id: job.id, waitMs: found.waitMs })
    }),
  )
  await queue.reschedule(lease, unchanged)
  return jobs.length === BATCH ? 0 : restMs
}

/** Told of every poll: what the service said, and what it means for the job. */
export type OnPoll = (job: Followed, result: "ok" | DocsError["fault"], found: Observation) => void

export interface PollDeps {
  queue: PollQueue
  docs: DocsApi
  now: () => number
  random: () => number
  /** Aborted when the process stops: a poll changes nothing, so the next process asks instead. */
  signal: AbortSignal
}

async function ask(docs: DocsApi, job: Followed): Promise<AgentJob | DocsError> {
  try {
    return await docs.getJob(job.project, job.agentJobId ?? "")
  } catch (error) {
    if (error instanceof DocsError) return error
    throw error
  }
}

function isNews(job: Followed, found: Observation): boolean {
  return (
    found.ending !== undefined ||
    found.misses !== job.misses ||
    (found.prLink !== undefined && found.prLink !== job.prLink)
  )
}

/** What one answer means for a job. Pure. @param random 0..1, spreads the polls. */
export function observe(
  job: Followed,
  answer: AgentJob | DocsError,
  policy: PollPolicy,
  now: number,
  random: number,
): Observation {
  const ageMs = Math.max(0, now - (job.startedAt ?? now))
  const lost: { ending?: Ending } = ageMs >= policy.timeoutMs ? { ending: "lost" } : {}
  const waitMs = nextWait(ageMs, policy, random)
  if (answer instanceof DocsError) {
    if (answer.fault === "not_found") {
      const misses = job.misses + 1
      return { misses, waitMs, ...(misses >= MISSES_TO_GONE ? { ending: "gone" } : lost) }
    }
    // Trouble at the service is not the requester's business: try later, say nothing.
    const later = Math.max(answer.retryAfterMs ?? 0, policy.maxMs * (0.75 + random / 2))
    return { misses: job.misses, waitMs: later, ...lost }
  }
  const prLink = answer.prLink ?? undefined
  const turning = job.follows !== undefined && ageMs < TURNING_MS
  const ending = turning ? undefined : endingOf(answer)
  return { misses: 0, waitMs, prLink, ...(ending ? { ending } : lost) }
}

function endingOf({ status, prLink }: AgentJob): Ending | undefined {
  if (status === "active") return undefined
  if (status === "completed") return prLink ? "pull_request" : "no_pull_request"
  return status
}

/** Once a job did not end at once, one wait is this many times the shortest. */
const STEADY = 2
/** Waits then grow by this share of the job's age: who waited long for the job can wait longer for the notice. */
const SHARE_OF_AGE = 0.03
const JITTER = 0.1

/**
 * Until the next poll of a job of this age, ms. The first waits double, so that a job that ends at
 * once is noticed at once and the looks at all others are few. From then on waits grow slowly:
 * growing by a larger share of the age spends most polls on a job's first minute, where few jobs
 * end, and is late for those of usual length. For the same number of polls this is late by a smaller
 * share of the job's length than any fixed interval.
 */
export function nextWait(ageMs: number, { minMs, maxMs }: PollPolicy, random: number): number {
  const steady = STEADY * minMs + SHARE_OF_AGE * ageMs
  const wait = Math.min(Math.max(Math.min(ageMs, steady), minMs), maxMs)
  return wait * (1 - JITTER + 2 * JITTER * random)
}
