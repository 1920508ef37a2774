import type { Redis } from "ioredis"
import { fromPrompts } from "../../src/asking/request-text.ts"
import { type Job, type Pull, toJob } from "../../src/jobs/job.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { toHash } from "../../src/store/record-fields.ts"

/** Returns a job with a followed pull request, with the given fields replaced. */
export function followedJob(
  more: Partial<Omit<Job, "pull">> & { pull?: Partial<Pull> } = {},
): Job & { pull: Pull } {
  const { pull, ...facts } = more
  const job = {
    v: "2",
    id: "abcdefgh23",
    rev: 1,
    state: "ended",
    ending: "pull_request",
    project: "p",
    channel: "C1",
    user: "U1",
    turnOf: "U1",
    at: 0,
    round: 1,
    card: "1.000001",
    asks: [{ id: "a1", user: "U1", at: 0, round: 1, kind: "request" }],
    ...facts,
    pull: { owner: "acme", repo: "docs", number: 7, since: 0, failures: 0, ...pull },
  }
  return toJob(job.id, toHash(job)) as Job & { pull: Pull }
}

/** Stores a job with its words, its schedules and its indexes. */
export async function keepJob(redis: Redis, job: Job, kinds: ("pulls" | "sessions")[] = ["pulls"]) {
  await redis.hset(jobKeys.record(job.id), toHash(job))
  await redis.set(jobKeys.words(job.id), fromPrompts({ a1: { words: "fix the quickstart" } }))
  for (const kind of kinds) await redis.zadd(jobKeys.schedule(kind), 0, job.id)
  await redis.zadd(jobKeys.ofUser(job.user), job.at, job.id)
  const root = job.thread ?? job.card
  if (root) await redis.zadd(jobKeys.inThread(job.channel, root), job.at, job.id)
}
