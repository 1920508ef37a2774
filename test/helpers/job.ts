import type { Job } from "../../src/jobs/job.ts"

/** A job for tests of pure code; say only what matters. */
export function aJob(facts: Partial<Job> = {}): Job {
  return {
    id: "abcdefgh23",
    state: "queued",
    rev: 1,
    project: "docs-site",
    team: "T1",
    channel: "C1",
    user: "U1",
    askedAt: 1_000,
    tag: 1,
    quiet: false,
    misses: 0,
    later: { rev: 0, shown: 0 },
    round: 1,
    unsure: 0,
    failures: 0,
    shown: { rev: 0 },
    ...facts,
  }
}
