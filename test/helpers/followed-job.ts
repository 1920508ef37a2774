import type { Redis } from "ioredis"
import { type Job, type Pull, toJob } from "../../src/jobs/job.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { fromPrompt } from "../../src/jobs/request-text.ts"
import { allAsks } from "../../src/jobs/rounds.ts"
import { toHash } from "../../src/store/record-fields.ts"
import { aJob, anAsk, type JobFacts } from "./job.ts"

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
