import { processFacts } from "../helpers/process-facts.ts"
import { ask } from "./ask.ts"
import type { Bench } from "./figure.ts"
import { BULLMQ_APP, createSetting } from "./setting.ts"

/** Number of creations that the service accepts from one project in an hour. */
const JOBS = 99
const RUN_MS = 10_000

export const fullHour: Bench = {
  title: "a project's whole hour of 99 jobs at once, each to its closing reply, on `all`",

  async run({ share }) {
    const count = Math.max(5, Math.round(JOBS * share))
    const reference = await measured(count, BULLMQ_APP)
    const ours = await measured(count)
    const figure = (what: string, unit: "ms" | "MB", of: keyof Measured) =>
      ({ what, unit, value: ours[of], reference: reference[of] }) as const
    return [
      figure(`until the last of ${count} replies`, "ms", "tookMs"),
      figure("CPU for all of them", "ms", "cpuMs"),
      figure("memory of the process", "MB", "residentMb"),
      figure("memory of Redis", "MB", "redisMb"),
    ]
  },
}

type Measured = Awaited<ReturnType<typeof measured>>

/** Lets one process carry out so many requests. @param main absent: ours */
async function measured(count: number, main?: string) {
  await using setting = await createSetting()
  const { slack, docs, redis } = setting
  docs.planAll({ ending: "pull_request", afterMs: RUN_MS })
  const { port, pid } = await setting.start("all", main)
  let replies = 0
  const done = new Promise<void>((resolve) => {
    slack.subscribe((change) => {
      if (change.type !== "message_posted" || !change.message.botId) return
      if (!change.message.threadTs) return
      replies += 1
      if (replies === count) resolve()
    })
  })
  const before = processFacts(pid).cpuMs
  const began = performance.now()
  await Promise.all(Array.from({ length: count }, (_, n) => ask(port, n)))
  await done
  const tookMs = performance.now() - began
  const { cpuMs, residentBytes } = processFacts(pid)
  const used = Number(/used_memory:(\d+)/.exec(await redis.client.info("memory"))?.[1])
  return {
    tookMs,
    cpuMs: cpuMs - before,
    residentMb: residentBytes / 2 ** 20,
    redisMb: used / 2 ** 20,
  }
}
