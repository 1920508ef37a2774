import type { Redis } from "ioredis"
import { retried } from "../../src/jobs/begin-round.ts"
import { applied, type Change } from "../../src/jobs/change.ts"
import { type Job, type Pull, toJob } from "../../src/jobs/job.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { fromPrompt } from "../../src/jobs/request-record.ts"
import type { Ask, Round } from "../../src/jobs/round-record.ts"
import { allAsks } from "../../src/jobs/rounds.ts"
import { toHash } from "../../src/store/record-fields.ts"

/** Fields of a job or of its last round. */
export type JobFacts = Partial<Job> & Partial<Omit<Round, "id" | "at">>

/** Returns one request of a job, with the given fields replaced. */
export function anAsk(facts: Partial<Ask> = {}): Ask {
  return { id: "ask1", user: "U1", at: 1000, kind: "request", ...facts }
}

export function aRound(facts: Partial<Round> = {}): Round {
  return { id: "round1", at: 1000, way: "creation", asks: [anAsk()], ...facts }
}

/**
 * Returns a job for tests of pure code, with the given fields replaced: its own, or those of its
 * last round.
 */
export function aJob(facts: JobFacts = {}): Job {
  const { asks, way, again, startedAt, seenActive, misses, ...more } = facts
  const { sizeBefore, ending, endedAt, detail, told, rounds = [aRound()], ...own } = more
  const named = { asks, way, again, startedAt, seenActive, misses }
  const given = { ...named, sizeBefore, ending, endedAt, detail, told }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const last = { ...(rounds.at(-1) ?? aRound()), ...set }
  return {
    v: "3",
    id: "abcdefgh23",
    rev: 1,
    state: "queued",
    project: "p1",
    channel: "C1",
    user: "U1",
    at: 1000,
    waiting: [],
    turnOf: "U1",
    tag: 0,
    failures: 0,
    muted: [],
    ...own,
    rounds: [...rounds.slice(0, -1), last],
  }
}

/** Returns what a job is after a change. @throws Error with the reason if there is none */
export function becomes(job: Job, change: Change | string | undefined, delayMs = 0): Job {
  if (typeof change !== "object") throw new Error(change)
  return applied(job, change, delayMs)
}

/** Runs the last round of a job again on the same card. */
export function rerun(job: Job, user: string, now: number): Change | undefined {
  const change = retried(job, { user, now })
  if (change === "new_job") throw new Error("The pull request keeps its card.")
  return change
}

/** Returns a job with a followed pull request, with the given fields replaced. */
export function followedJob(
  more: Omit<JobFacts, "pull"> & { pull?: Partial<Pull> } = {},
): Job & { pull: Pull } {
  const { pull, state = "ended", id = "abcdefgh23", ...facts } = more
  const job = aJob({
    id,
    state,
    project: "p",
    at: 0,
    card: "1.000001",
    asks: [anAsk({ id: "a1", at: 0 })],
    ...(state === "ended" ? { ending: "pull_request" } : {}),
    ...facts,
    pull: { owner: "acme", repo: "docs", number: 7, since: 0, failures: 0, ...pull },
  })
  return toJob(job.id, toHash(job)) as Job & { pull: Pull }
}

/** Stores a job with its words, its schedules and its indexes. */
export async function keepJob(redis: Redis, job: Job, kinds: ("pulls" | "sessions")[] = ["pulls"]) {
  await redis.hset(jobKeys.record(job.id), toHash(job))
  for (const { id } of allAsks(job))
    await redis.set(jobKeys.words(id), fromPrompt({ words: "fix the quickstart" }))
  for (const kind of kinds) await redis.zadd(jobKeys.schedule(kind), 0, job.id)
  await redis.zadd(jobKeys.ofUser(job.user), job.at, job.id)
  const root = job.thread ?? job.card
  if (root) await redis.zadd(jobKeys.inThread(job.channel, root), job.at, job.id)
}
