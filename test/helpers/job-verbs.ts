import { expect } from "vitest"
import type { Job } from "../../src/jobs/job.ts"
import { jobKeys, type Kind, messagesOf, queuesOf } from "../../src/jobs/job-keys.ts"
import { resumed } from "../../src/limit/pauses.ts"
import { WAKE_CHANNEL } from "../../src/store/redis-keys.ts"
import type { JobEnding } from "../sandbox/docs-service/agent-job.ts"
import { ADA } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

/** Makes everything on these schedules due now, or, under a lease, as soon as it is given back. */
export async function hasten(
  { services: { work } }: Pick<TestBed, "services">,
  ...kinds: readonly Kind[]
): Promise<void> {
  const { redis } = work.store
  for (const schedule of kinds.map(jobKeys.schedule)) {
    const ids = await redis.zrange(schedule, "0", "-1")
    if (ids.length === 0) continue
    for (const id of ids) {
      // Under a lease, a note makes the member due when it is given back, as the bot does it.
      await redis.hset(`${schedule}:again`, id, 0)
      const score = Number(await redis.zscore(schedule, id))
      if (Number.isInteger(score)) await redis.zadd(schedule, "XX", 0, id)
    }
    await redis.publish(WAKE_CHANNEL, `${schedule} 0`)
  }
}

/** Returns the verbs that put a test bed's jobs and queues off, hasten or end them. */
export function jobVerbs(bed: TestBed) {
  /** Reads the job in which a person asked last. @throws Error if they have none */
  async function jobOf(user = ADA): Promise<Job> {
    const [found] = await bed.services.front.jobs.ofUser(user)
    if (!found) throw new Error(`${user} has no job`)
    return found.job
  }

  return {
    jobOf,
    /** Waits until the job in which a person asked last is in this state. */
    untilState: (state: Job["state"], user = ADA) =>
      expect.poll(async () => (await jobOf(user)).state).toBe(state),
    /** Waits until nothing on a schedule is left to do. */
    untilDone: (kind: Kind) =>
      expect.poll(() => bed.services.work.store.redis.zcard(jobKeys.schedule(kind))).toBe(0),
    hasten: (...kinds: readonly Kind[]) => hasten(bed, ...kinds),
    /** Moves the start of Ada's job back by so many ms. */
    async startedEarlier(ms: number): Promise<void> {
      const { id } = await jobOf()
      await bed.services.work.jobs.change(id, ({ job: { rounds } }) => ({
        set: { rounds: rounds.map((r) => ({ ...r, startedAt: (r.startedAt ?? 0) - ms })) },
      }))
    },
    /** Ends a run of the service's jobs, the first one unless another is named. */
    finish(ending: JobEnding, n = 0): void {
      bed.docs.finish(bed.docs.creations[n]?.jobId ?? "", ending)
    },
    /** Pauses the first project's jobs, or the messages to them, until somebody resumes them. */
    async pause(what: "jobs" | "messages"): Promise<void> {
      const { settings, health } = bed.services.front
      const [project = ""] = settings.projects.keys
      const queue = what === "jobs" ? project : messagesOf(project)
      await health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
    },
    /** Resumes every paused queue, as an admin does. */
    async resumeAll(): Promise<void> {
      const { settings, health } = bed.services.front
      for (const queue of queuesOf(settings.projects.keys))
        await health.change(queue, (known, now) => resumed(known, now))
    },
  }
}
