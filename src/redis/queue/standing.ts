import { z } from "zod"
import type { ServiceStanding } from "../../jobs/service-ports.ts"
import { ignoreBroken, type OnBroken, typed } from "../broken.ts"
import { keys } from "../keys.ts"
import { type KeyPrint, NO_KEY } from "../print.ts"
import type { Now, RedisClient } from "../script.ts"
import { acceptKey, findJob, missJob, refuseKey } from "./standing.lua.ts"

interface StandingOptions {
  /** What tells a project's key from another. */
  keyPrint?: KeyPrint
  /** What tells the place where jobs are read from another. */
  jobPathPrint: string
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

export function createServiceStanding(
  redis: RedisClient,
  { keyPrint = NO_KEY, jobPathPrint, onBroken = ignoreBroken, now }: StandingOptions,
): ServiceStanding {
  const on = { redis, now }
  return {
    async keyRefused(project, reason, by) {
      const args = { by, reason, key: await keyPrint(project) }
      return (await refuseKey(on, keys.project(project), args)) === 1
    },

    async keyAccepted(project) {
      return (await acceptKey(on, keys.project(project), { key: await keyPrint(project) })) === 1
    },

    async mayProbe(project, everyMs) {
      const task = keys.holder(`probe:${project}:${await keyPrint(project)}`)
      return (await redis.set(task, "1", "PX", everyMs, "NX")) === "OK"
    },

    async jobFound(project) {
      await findJob(on, keys.project(project), { path: jobPathPrint })
    },

    async jobMissed(project) {
      return missJob(on, keys.project(project), { path: jobPathPrint })
    },

    async jobPath(project) {
      const key = keys.project(project).jobPath
      const record = pathRecord.safeParse(await typed(key, redis.hgetall(key), onBroken)).data
      if (!record || record.found || record.path !== jobPathPrint) return undefined
      return record.misses < MISSES_TO_TELL ? undefined : { since: record.since }
    },
  }
}
