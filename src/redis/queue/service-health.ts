import { z } from "zod"
import type { ServiceHealth } from "../../jobs/service-ports.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { type KeyFingerprint, NO_KEY } from "../key-fingerprint.ts"
import { keys } from "../keys.ts"
import type { ReadProjectNames } from "../projects/names.ts"
import type { Now, RedisClient } from "../script.ts"
import { acceptKey, findJob, missJob, refuseKey } from "./service-health.lua.ts"

/** Told when a project pauses because reads were refused with its key. */
export type OnPause = (...refused: Parameters<ServiceHealth["keyRefused"]>) => void

interface HealthOptions {
  names: ReadProjectNames
  keyFingerprint?: KeyFingerprint
  /** What tells the place where jobs are read from another. */
  jobPathFingerprint: string
  onBroken?: OnBroken
  onPause?: OnPause
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

export function createServiceHealth(redis: RedisClient, options: HealthOptions): ServiceHealth {
  const { names, keyFingerprint = NO_KEY, jobPathFingerprint, onPause } = options
  const { onBroken = ignoreBroken } = options
  const on = { redis, now: options.now }
  const storedAs = async (project: string) => (await names()).storedAs(project)
  const keysOf = async (project: string) => keys.project(await storedAs(project))
  return {
    async keyRefused(project, reason, by) {
      const args = { by, reason, key: keyFingerprint(project) }
      const pauses = (await refuseKey(on, await keysOf(project), args)) === 1
      if (pauses) onPause?.(project, reason, by)
      return pauses
    },

    async keyAccepted(project) {
      const args = { key: keyFingerprint(project) }
      return (await acceptKey(on, await keysOf(project), args)) === 1
    },

    async mayProbe(project, everyMs) {
      const task = keys.holder(`probe:${await storedAs(project)}:${keyFingerprint(project)}`)
      return (await redis.set(task, "1", "PX", everyMs, "NX")) === "OK"
    },

    async jobFound(project) {
      await findJob(on, await keysOf(project), { path: jobPathFingerprint })
    },

    async jobMissed(project) {
      return missJob(on, await keysOf(project), { path: jobPathFingerprint })
    },

    async jobPath(project) {
      const key = (await keysOf(project)).jobPath
      const record = pathRecord.safeParse(await typed(key, redis.hgetall(key), onBroken)).data
      if (!record || record.found || record.path !== jobPathFingerprint) return undefined
      return record.misses < MISSES_TO_TELL ? undefined : { since: record.since }
    },
  }
}
