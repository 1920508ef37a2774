import { WINDOW_MS } from "../config/timing.ts"
import type { ProjectRegister } from "../jobs/ports.ts"
import { JOB_PREFIX, keys, queueKeys } from "./keys.ts"
import type { ReadProjectNames } from "./project-names.ts"
import type { Now, RedisClient } from "./script.ts"
import { adoptQueue, isAbandoned, keepConfigured } from "./scripts/projects.ts"

/** Waiting jobs of one look. */
const BATCH = 100

/** @param options `graceMs`: a project is abandoned when no process has had it configured for so long */
export function createProjectRegister(
  redis: RedisClient,
  read: ReadProjectNames,
  { graceMs, now }: { graceMs: number; now?: Now },
): ProjectRegister {
  const on = { redis, now }

  /** Takes over what stands under another name of a project of ours. */
  async function adopt(other: string, name: string): Promise<void> {
    const [own, theirs] = [queueKeys(name, ""), keys.project(other)]
    const from = { otherLog: theirs.log, otherWait: theirs.wait, otherCreating: theirs.creating }
    await adoptQueue(
      on,
      { ...own, ...from },
      {
        name,
        other,
        jobPrefix: JOB_PREFIX,
        waitingPrefix: keys.waiting(name, ""),
        otherPrefix: keys.waiting(other, ""),
        keepMs: 2 * WINDOW_MS,
      },
    )
  }

  return {
    async keep() {
      const names = await read()
      const abandoned = await keepConfigured(on, keys, { graceMs }, names.stored)
      const strays = (await redis.smembers(keys.busy)).filter(
        (name) => names.knows(name) && !names.stored.includes(name),
      )
      for (const name of strays) await adopt(name, names.storedAs(names.nameOf(name)))
      const nobodys = abandoned.filter((name) => !names.knows(name))
      return { abandoned: nobodys.map(names.nameOf), strays }
    },

    async isAbandoned(project) {
      const names = await read()
      const name = names.storedAs(project)
      return (await isAbandoned(on, keys, { name, graceMs })) === 1
    },

    async waiting(project) {
      const { wait } = keys.project((await read()).storedAs(project))
      return redis.zrange(wait, "0", String(BATCH - 1))
    },
  }
}
