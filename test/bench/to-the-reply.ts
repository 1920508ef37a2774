import pidusage from "pidusage"
import { ask } from "./ask.ts"
import { type Bench, median } from "./figure.ts"
import { BULLMQ_APP, createSetting, type Setting } from "./setting.ts"

const MB = 2 ** 20
/** Number of requests, one after another, and time in ms from a job's creation to its end. */
const REQUESTS = 40
const SHORT_RUN_MS = 1200

export const latency: Bench = {
  title: "one request while nobody else asks, Slack and the service near",
  reference: BULLMQ_APP,
  figures: [
    { what: "command to card", unit: "ms", atMost: 60 },
    { what: "command to service", unit: "ms", atMost: 120 },
    { what: "poll that saw the end to reply", unit: "ms", atMost: 60 },
  ],

  async measure(share, main) {
    await using setting = await createSetting({ POLL_MIN_MS: "1000" })
    const { slack, docs } = setting
    docs.planAll({ ending: "pull_request", afterMs: SHORT_RUN_MS })
    const at = { card: 0, service: 0, poll: 0 }
    docs.subscribe((event) => {
      if (event.type !== "request") return
      if (event.request.kind === "create") at.service = performance.now()
      if (event.request.kind === "get") at.poll = performance.now()
    })
    slack.subscribe((change) => {
      if (change.type === "message_posted" && !change.message.threadTs) at.card = performance.now()
    })
    const { port } = await setting.start("all", main)
    const took: number[][] = [[], [], []]
    for (let n = 0; n <= Math.max(4, REQUESTS * share); n += 1) {
      const replied = untilReplies(setting, 1)
      const asked = performance.now()
      await ask(port, n)
      const told = await replied
      // The first one is done before the process is warm.
      const ms = n === 0 ? [] : [at.card - asked, at.service - asked, told - at.poll]
      for (const [stretch, one] of ms.entries()) took[stretch]?.push(one)
    }
    return took.map(median)
  },
}

/** Number of creations that the service accepts from one project in an hour. */
const JOBS = 99
const RUN_MS = 10_000

export const fullHour: Bench = {
  title: "a project's whole hour of 99 jobs at once, each to its closing reply, on `all`",
  reference: BULLMQ_APP,
  figures: [
    { what: "until the last reply", unit: "ms" },
    { what: "CPU for all of them", unit: "ms" },
    { what: "memory of the process", unit: "MB" },
    { what: "memory of Redis", unit: "MB" },
  ],

  async measure(share, main) {
    const count = Math.max(5, Math.round(JOBS * share))
    await using setting = await createSetting()
    setting.docs.planAll({ ending: "pull_request", afterMs: RUN_MS })
    const { port, pid } = await setting.start("all", main)
    const replied = untilReplies(setting, count)
    const before = (await pidusage(pid)).ctime
    const began = performance.now()
    await Promise.all(Array.from({ length: count }, (_, n) => ask(port, n)))
    const tookMs = (await replied) - began
    const { ctime, memory } = await pidusage(pid)
    const info = await setting.server.client.info("memory")
    const used = Number(/used_memory:(\d+)/.exec(info)?.[1])
    return [tookMs, ctime - before, memory / MB, used / MB]
  },
}

/** Resolves to the time of the last of so many closing replies. */
function untilReplies({ slack }: Setting, count: number): Promise<number> {
  let replies = 0
  return new Promise((resolve) => {
    const end = slack.subscribe((change) => {
      if (change.type !== "message_posted" || !change.message.threadTs) return
      replies += 1
      if (replies < count) return
      end()
      resolve(performance.now())
    })
  })
}
