import { jobKeys, type Kind, messagesOf, queuesOf } from "../../src/jobs/job-keys.ts"
import { resumed } from "../../src/limit/pauses.ts"
import { WAKE_CHANNEL } from "../../src/store/redis-keys.ts"
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

/** Pauses the first project's jobs, or the messages to them, until somebody resumes them. */
export async function pause(
  { services: { front } }: TestBed,
  what: "jobs" | "messages",
): Promise<void> {
  const [project = ""] = front.settings.projects.keys
  const queue = what === "jobs" ? project : messagesOf(project)
  await front.health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
}

/** Resumes every paused queue, as an admin does. */
export async function resumeAll({ services: { front } }: TestBed): Promise<void> {
  for (const queue of queuesOf(front.settings.projects.keys))
    await front.health.change(queue, (health, now) => resumed(health, now))
}
