import { processFacts } from "../helpers/process-facts.ts"
import { ask } from "./ask.ts"
import type { Bench } from "./figure.ts"
import { createSetting, untilReady } from "./setting.ts"

/** Number of creations that the service accepts from one project in an hour. */
const JOBS = 99
const RUN_MS = 10_000

export const fullHour: Bench = {
  title: "a project's whole hour of 99 jobs at once, each to its closing reply, on `all`",

  async run({ share }) {
    await using setting = await createSetting()
    const { slack, docs, redis } = setting
    docs.planAll({ ending: "pull_request", afterMs: RUN_MS })
    const { port, pid } = await setting.start("all")
    await untilReady(port)
    const count = Math.max(5, Math.round(JOBS * share))
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
    return [
      { what: `until the last of ${count} replies`, unit: "ms", value: tookMs },
      { what: "CPU of the bot for all of them", unit: "ms", value: cpuMs - before },
      { what: "memory of the bot", unit: "MB", value: residentBytes / 2 ** 20 },
      { what: "memory of Redis", unit: "MB", value: used / 2 ** 20 },
    ]
  },
}
