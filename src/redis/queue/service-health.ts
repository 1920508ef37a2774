import { z } from "zod"
import type { ServiceHealth } from "../../jobs/service-ports.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { type KeyFingerprint, NO_KEY } from "../key-fingerprint.ts"
import { keys } from "../keys.ts"
import type { Now, RedisClient } from "../script.ts"
import { acceptKey, findJob, missJob, refuseKey } from "./service-health.lua.ts"

interface HealthOptions {
  /** What tells a project's key from another. */
  keyFingerprint?: KeyFingerprint
  /** What tells the place where jobs are read from another. */
  jobPathFingerprint: string
  onBroken?: OnBroken
  now?: Now
}

/** Jobs that were just created are looked for this often in vain before it is called trouble. */
const MISSES_TO_TELL = 3

const pathRecord = z.object({
  path: z.string(),
  found: z.string().optional(),
  misses: z.coerce.number(),
  since: z.coerce.number(),
})

export function createServiceHealth(
  redis: RedisClient,
  { keyFingerprint = NO_KEY, jobPathFingerprint, onBroken = ignoreBroken, now }: HealthOptions,
): ServiceHealth {
  const on = { redis, now }
  return {
    async keyRefused(project, reason, by) {
      const args = { by, reason, key: await keyFingerprint(project) }
      return (await refuseKey(on, keys.project(project), args)) === 1
    },

    async keyAccepted(project) {
      return (
        (await acceptKey(on, keys.project(project), { key: await keyFingerprint(project) })) === 1
      )
    },

    async mayProbe(project, everyMs) {
      const task = keys.holder(`probe:${project}:${await keyFingerprint(project)}`)
      return (await redis.set(task, "1", "PX", everyMs, "NX")) === "OK"
    },

    async jobFound(project) {
      await findJob(on, keys.project(project), { path: jobPathFingerprint })
    },

    async jobMissed(project) {
      return missJob(on, keys.project(project), { path: jobPathFingerprint })
    },

    async jobPath(project) {
      const key = keys.project(project).jobPath
      const record = pathRecord.safeParse(await typed(key, redis.hgetall(key), onBroken)).data
      if (!record || record.found || record.path !== jobPathFingerprint) return undefined
      return record.misses < MISSES_TO_TELL ? undefined : { since: record.since }
    },
  }
}
