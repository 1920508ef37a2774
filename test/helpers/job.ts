import { retried } from "../../src/jobs/begin-round.ts"
import type { Change } from "../../src/jobs/change.ts"
import type { Job } from "../../src/jobs/job.ts"
import type { Ask, Round } from "../../src/jobs/round-record.ts"

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
  const { asks, way, again, note, startedAt, seenActive, misses, ...more } = facts
  const { sizeBefore, ending, endedAt, detail, told, rounds = [aRound()], ...own } = more
  const named = { asks, way, again, note, startedAt, seenActive, misses }
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

/** Runs the last round of a job again on the same card. */
export function rerun(job: Job, user: string, now: number): Change | undefined {
  const change = retried(job, { user, now })
  if (change === "new_job") throw new Error("The pull request keeps its card.")
  return change
}
