import { setTimeout as delay } from "node:timers/promises"
import { processFacts } from "../helpers/process-facts.ts"
import { ask } from "./ask.ts"
import type { Bench } from "./figure.ts"
import { BULLMQ_APP, createSetting, type Setting } from "./setting.ts"

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

  async run({ share }) {
    const commands = Math.max(AT_A_TIME, COMMANDS * share)
    const forMs = Math.max(1000, POLLED_MS * share)
    return [
      {
        what: "accepted commands",
        unit: "/s",
        reference: await acceptedPerSecond(commands, BULLMQ_APP),
        value: await acceptedPerSecond(commands),
        atLeastRatio: 0.5,
      },
      {
        what: "polls per second of CPU",
        unit: "/s",
        reference: await pollsPerCpuSecond(forMs, BULLMQ_APP),
        value: await pollsPerCpuSecond(forMs),
        atLeastRatio: 1,
      },
    ]
  },
}

/** Sends commands to one process that only takes them in. @param main absent: ours */
async function acceptedPerSecond(commands: number, main?: string): Promise<number> {
  await using setting = await createSetting()
  const { port } = await setting.start("web", main)
  await askMany(port, AT_A_TIME)
  const began = performance.now()
  await askMany(port, commands, AT_A_TIME)
  return commands / ((performance.now() - began) / 1000)
}

/** Lets one process poll jobs that never end. @param main absent: ours */
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
  const before = { polls, cpuMs: processFacts(pid).cpuMs }
  await delay(forMs)
  return (polls - before.polls) / ((processFacts(pid).cpuMs - before.cpuMs) / 1000)
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
