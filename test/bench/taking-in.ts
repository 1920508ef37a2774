import { setTimeout as delay } from "node:timers/promises"
import pidusage from "pidusage"
import { ask } from "./ask.ts"
import { type Bench, quantile } from "./figure.ts"
import { BARE_BOLT, BULLMQ_APP, createSetting, type Setting } from "./setting.ts"

const ROUNDS = 10
const BURST = 50
const CROWD = 300

export const burst: Bench = {
  title: "how long an acknowledgement takes when many ask at the same moment",
  reference: BARE_BOLT,
  figures: [
    // A third of the 3,000 ms after which Slack gives up.
    { what: `99th percentile, ${BURST} at once`, unit: "ms", atMost: 1000 },
    { what: `99th percentile, ${CROWD} at once`, unit: "ms" },
  ],

  async measure(share, main) {
    await using setting = await createSetting()
    const { port } = await setting.start("all", main)
    let asked = 0
    const together = (count: number) =>
      Promise.all(Array.from({ length: count }, () => ask(port, asked++)))
    const took: number[] = []
    for (let round = 0; round < Math.max(1, ROUNDS * share); round += 1)
      took.push(...(await together(BURST)))
    return [quantile(took, 0.99), quantile(await together(CROWD), 0.99)]
  },
}

/** Number of commands, and how many of them are on their way at a time. */
const COMMANDS = 900
const AT_A_TIME = 25
/** Number of running jobs that are polled, as many as start in an hour, and for how long in ms. */
const JOBS = 99
const POLLED_MS = 8000
/** Interval in ms between two polls of a job, so short that the process is never idle. */
const POLL_MS = "50"

export const throughput: Bench = {
  title: "commands and polls, compared with a Bolt app that uses BullMQ",
  reference: BULLMQ_APP,
  figures: [
    { what: "accepted commands", unit: "/s", atLeastRatio: 0.5 },
    { what: "polls per second of CPU", unit: "/s", atLeastRatio: 1 },
  ],

  async measure(share, main) {
    return [
      await acceptedPerSecond(Math.max(AT_A_TIME, COMMANDS * share), main),
      await pollsPerCpuSecond(Math.max(1000, POLLED_MS * share), main),
    ]
  },
}

/** Sends commands to one process that only takes them in. */
async function acceptedPerSecond(commands: number, main?: string): Promise<number> {
  await using setting = await createSetting()
  const { port } = await setting.start("web", main)
  await askMany(port, AT_A_TIME)
  const began = performance.now()
  await askMany(port, commands, AT_A_TIME)
  return commands / ((performance.now() - began) / 1000)
}

/** Lets one process poll jobs that never end. */
async function pollsPerCpuSecond(forMs: number, main?: string): Promise<number> {
  await using setting = await createSetting({ POLL_MIN_MS: POLL_MS, POLL_MAX_MS: POLL_MS })
  setting.docs.planAll({ ending: "never", afterMs: 0 })
  const { port, pid } = await setting.start("all", main)
  let polls = 0
  const polled = new Set<string>()
  setting.docs.subscribe((event) => {
    if (event.type !== "request" || event.request.kind !== "get") return
    polls += 1
    polled.add(event.request.path)
  })
  await askMany(port, JOBS)
  while (polled.size < JOBS) await delay(50)
  // The cards are posted and edited at Slack's pace; their work is not a poll's.
  await untilCardsRest(setting)
  const before = { polls, cpuMs: (await pidusage(pid)).ctime }
  await delay(forMs)
  return (polls - before.polls) / (((await pidusage(pid)).ctime - before.cpuMs) / 1000)
}

async function askMany(port: number, count: number, from = 0): Promise<void> {
  let next = from
  const one = async () => {
    while (next < from + count) await ask(port, next++)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, one))
}

/** Waits until nothing was posted or edited for two seconds. */
async function untilCardsRest({ slack }: Setting): Promise<void> {
  let at = performance.now()
  const end = slack.subscribe(() => {
    at = performance.now()
  })
  while (performance.now() - at < 2000) await delay(100)
  end()
}
