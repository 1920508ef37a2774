import { WINDOW_MS } from "../../config/timing.ts"
import type { ProjectRegister } from "../../jobs/queue-ports.ts"
import { messagesOf, projectOf, queuesOf, renamedQueue } from "../../jobs/queues.ts"
import { JOB_PREFIX, keys, queueKeys } from "../keys.ts"
import type { ReadProjectNames } from "../projects/names.ts"
import type { Now, RedisClient } from "../script.ts"
import { adoptQueue, isAbandoned, keepConfigured } from "./project-register.lua.ts"

/** Waiting jobs of one look. */
const BATCH = 100

/** @param options `graceMs`: a project is abandoned when no process has had it configured for so long */
export function createProjectRegister(
  redis: RedisClient,
  read: ReadProjectNames,
  { graceMs, now }: { graceMs: number; now?: Now },
): ProjectRegister {
  const on = { redis, now }

  /** Takes over what stands under another name of a queue of ours. */
  async function adopt(other: string, queue: string): Promise<void> {
    const [own, theirs] = [queueKeys(queue, ""), keys.project(other)]
    const from = { otherLog: theirs.log, otherWait: theirs.wait, otherCreating: theirs.creating }
    await adoptQueue(
      on,
      { ...own, ...from },
      {
        project: projectOf(queue),
        queue,
        other,
        jobPrefix: JOB_PREFIX,
        waitingPrefix: keys.waiting(queue, ""),
        otherPrefix: keys.waiting(other, ""),
        keepMs: 2 * WINDOW_MS,
      },
    )
  }

  return {
    async keep() {
      const names = await read()
      const args = { graceMs, messages: messagesOf("") }
      const abandoned = await keepConfigured(on, keys, args, names.stored)
      const isStray = (name: string) => names.knows(name) && !names.stored.includes(name)
      const busy = await redis.sunion(keys.busy, keys.busyMessages)
      const strays = busy.filter((queue) => isStray(projectOf(queue)))
      const ours = (name: string) => names.storedAs(names.nameOf(name))
      for (const queue of strays) await adopt(queue, renamedQueue(queue, ours))
      const nobodys = abandoned.filter((name) => !names.knows(name))
      return { abandoned: nobodys.map(names.nameOf), strays }
    },

    async isAbandoned(project) {
      const names = await read()
      const name = names.storedAs(project)
      return (await isAbandoned(on, keys, { name, graceMs })) === 1
    },

    async waiting(project) {
      const queues = queuesOf([(await read()).storedAs(project)])
      const first = (queue: string) =>
        redis.zrange(keys.project(queue).wait, "0", String(BATCH - 1))
      return (await Promise.all(queues.map(first))).flat()
    },
  }
}
