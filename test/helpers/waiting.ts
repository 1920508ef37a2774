import { randomUUID } from "node:crypto"
import type { Redis } from "ioredis"
import type { CreationOutcome } from "../../src/jobs/queue-ports.ts"
import { createJobStore } from "../../src/redis/jobs/store.ts"
import { keys } from "../../src/redis/keys.ts"

export const PROJECT = "docs-site"

/** What a service that accepts everything answers. */
export const accepted = async (): Promise<CreationOutcome> => ({
  kind: "created",
  agentJobId: "agent-job",
})

/** Puts requests into the queue of one project, their cards posted, so that they may start. */
export function queueing(redis: Redis, now?: () => number) {
  const store = createJobStore(redis, { maxQueuedPerUser: 10_000, ...(now ? { now } : {}) })
  return async (user: string, n = 1): Promise<string[]> => {
    const ids = Array.from({ length: n }, async () => {
      const unique = randomUUID()
      const outcome = await store.enqueue({
        project: PROJECT,
        team: "T1",
        channel: "C1",
        user,
        prompt: { words: `prompt ${unique}` },
        idempotencyKey: unique,
      })
      if (outcome.outcome !== "queued") throw new Error(`not queued: ${outcome.outcome}`)
      await redis.hset(keys.job(outcome.id), "card", "1.1")
      return outcome.id
    })
    return Promise.all(ids)
  }
}
