import type { Change } from "../../src/jobs/change.ts"
import type { Ask, Job } from "../../src/jobs/job.ts"
import { retried } from "../../src/jobs/transitions.ts"

/** Returns one request of a job, with the given fields replaced. */
export function anAsk(facts: Partial<Ask> = {}): Ask {
  return { id: "ask1", user: "U1", at: 1000, round: 1, kind: "request", ...facts }
}

/** Returns a job for tests of pure code, with the given fields replaced. */
export function aJob(facts: Partial<Job> = {}): Job {
  return {
    v: "2",
    id: "abcdefgh23",
    rev: 1,
    state: "queued",
    project: "p1",
    channel: "C1",
    user: "U1",
    at: 1000,
    asks: [anAsk()],
    round: 1,
    turnOf: "U1",
    tag: 0,
    misses: 0,
    failures: 0,
    muted: [],
    ...facts,
  }
}

/** Runs the last round of a job again on the same card. */
export function rerun(job: Job, user: string, now: number): Change | undefined {
  const change = retried(job, { user, now })
  if (change === "new_job") throw new Error("The pull request keeps its card.")
  return change
}
