import { request } from "undici"
import { startRedisServer } from "../helpers/redis-server.ts"
import { startOtherParties, type TestBed } from "../sandbox/test-bed.ts"
import type { Bench } from "./kit/bench.ts"
import { people, promptOf, rememberProfiles, signed } from "./kit/commands.ts"
import { answersSlack, BOT, launch, type Program, saysReady } from "./kit/program.ts"
import { alone, median } from "./kit/rounds.ts"

const JOBS = 40
/** From its creation until a job ends, ms: at one of its first polls. */
const RUN_MS = 1200

/** Each one alone, so that nothing waits for anything else: ms. */
interface Trail {
  toCard: number
  toCreation: number
  /** From the answer that says it ended. */
  toReply: number
}

export const latency: Bench = {
  title: "one person asks while nobody else does, Slack and the service near",
  needsRedis: true,

  async run({ share }) {
    const trails = await measure(Math.max(4, Math.round(JOBS * share)))
    const middle = (of: keyof Trail) => median(trails.map((trail) => trail[of]))
    return {
      rows: [
        alone("toCard", "from the command to the card's post", "ms", middle("toCard"), {
          atMost: 60,
        }),
        alone("toCreation", "from the command to the service", "ms", middle("toCreation"), {
          atMost: 100,
        }),
        alone("toReply", "from the poll that sees the end to its reply", "ms", middle("toReply"), {
          atMost: 50,
        }),
      ],
      notes: [
        `Medians of ${trails.length} jobs, one after the other. Slack and the service answer at once and share the machine.`,
      ],
    }
  },
}

async function measure(count: number): Promise<Trail[]> {
  await using redis = await startRedisServer()
  const { slack, docs, env } = await startOtherParties({})
  const settings = { ...env, REDIS_URL: redis.url, JOBS_PER_HOUR: "99", RESERVED_SLOTS: "0" }
  try {
    await using web = await launch([BOT, "web"], settings, answersSlack)
    await using _worker = await launch([BOT, "worker"], settings, saysReady)
    slack.setEventsUrl(web.url)
    await rememberProfiles(redis.client, people(count + 1))
    // The first waits until a new Redis may be trusted.
    await ask({ slack, docs }, web, 0)
    const trails: Trail[] = []
    while (trails.length < count) trails.push(await ask({ slack, docs }, web, trails.length + 1))
    return trails
  } finally {
    await slack.close()
    await docs.close()
  }
}

async function ask(
  { slack, docs }: Pick<TestBed, "slack" | "docs">,
  web: Program,
  n: number,
): Promise<Trail> {
  docs.plan({ ending: "pull_request", afterMs: RUN_MS })
  const at = { card: 0, creation: 0, poll: 0 }
  const ends: (() => void)[] = []
  const replied = new Promise<number>((resolve) => {
    ends.push(
      docs.subscribe((event) => {
        if (event.type !== "request") return
        if (event.request.kind === "create") at.creation = performance.now()
        if (event.request.kind === "get") at.poll = performance.now()
      }),
      slack.subscribe((change) => {
        if (change.type !== "message_posted" || !change.message.botId) return
        if (change.message.threadTs) resolve(performance.now())
        else at.card = performance.now()
      }),
    )
  })
  const who = people(n + 1).at(-1) ?? ""
  const { headers, body } = signed(promptOf(n), who, `latency${n}`)
  const asked = performance.now()
  const answer = await request(web.url, { method: "POST", headers, body })
  await answer.body.dump()
  const told = await replied
  for (const end of ends) end()
  return { toCard: at.card - asked, toCreation: at.creation - asked, toReply: told - at.poll }
}
