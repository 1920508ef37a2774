import type { Ask, Job } from "../../src/jobs/job.ts"

/** One request of a job; say only what matters. */
export function anAsk(facts: Partial<Ask> = {}): Ask {
  return { id: "ask1", user: "U1", at: 1000, round: 1, kind: "request", ...facts }
}

/** A job for tests of pure code; say only what matters. */
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
    history: [],
    muted: [],
    ...facts,
  }
}
