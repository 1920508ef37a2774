import { ask } from "./ask.ts"
import { type Bench, median } from "./figure.ts"
import { BULLMQ_APP, createSetting, type Setting } from "./setting.ts"

const JOBS = 40
/** Time in ms from a job's creation to its end, at one of its first polls. */
const RUN_MS = 1200

/** Duration of each stretch of one request, in ms. */
interface Stretches {
  toCard: number
  toService: number
  toReply: number
}

export const latency: Bench = {
  title: "one request while nobody else asks, Slack and the service near",

  async run({ share }) {
    const jobs = Math.max(4, JOBS * share)
    const reference = await stretches(jobs, BULLMQ_APP)
    const ours = await stretches(jobs)
    const figure = (what: string, of: keyof Stretches, atMost: number) =>
      ({ what, unit: "ms", value: ours[of], reference: reference[of], atMost }) as const
    return [
      figure("command to card", "toCard", 60),
      figure("command to service", "toService", 120),
      figure("poll that saw the end to reply", "toReply", 60),
    ]
  },
}

/** Returns the median of each stretch. @param main absent: ours */
async function stretches(jobs: number, main?: string): Promise<Stretches> {
  await using setting = await createSetting({ POLL_MIN_MS: "1000" })
  const { port } = await setting.start("all", main)
  // The first one waits until the bot may trust a new Redis.
  await follow(setting, port, 0)
  const seen: Stretches[] = []
  for (let n = 1; n <= jobs; n += 1) seen.push(await follow(setting, port, n))
  const middle = (of: keyof Stretches) => median(seen, (one) => one[of])
  return { toCard: middle("toCard"), toService: middle("toService"), toReply: middle("toReply") }
}

async function follow({ slack, docs }: Setting, port: number, n: number): Promise<Stretches> {
  docs.plan({ ending: "pull_request", afterMs: RUN_MS })
  const at = { card: 0, service: 0, poll: 0 }
  const ends: (() => void)[] = []
  const replied = new Promise<number>((resolve) => {
    ends.push(
      docs.subscribe((event) => {
        if (event.type !== "request") return
        if (event.request.kind === "create") at.service = performance.now()
        if (event.request.kind === "get") at.poll = performance.now()
      }),
      slack.subscribe((change) => {
        if (change.type !== "message_posted" || !change.message.botId) return
        if (change.message.threadTs) resolve(performance.now())
        else at.card = performance.now()
      }),
    )
  })
  const asked = performance.now()
  await ask(port, n)
  const told = await replied
  for (const end of ends) end()
  return { toCard: at.card - asked, toService: at.service - asked, toReply: told - at.poll }
}
