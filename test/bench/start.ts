import { setTimeout as delay } from "node:timers/promises"
import { request } from "undici"
import { setup as build } from "../helpers/build.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { processFacts } from "./kit/process-facts.ts"
import { BARE_BOLT, BOT, launch, saysReady } from "./kit/program.ts"
import { alternate, compare, type Pair, type Sample } from "./kit/rounds.ts"

/** Rests this long before its memory is read: what only the start needed is collected by then, ms. */
const SETTLE_MS = 600
const TYPES = ["web", "worker", "all"] as const
/** Redis, the service's client, checked records and metrics come on top of what the bare app loads. */
const GOALS = {
  ready: { web: 1.6, worker: 1.6, all: 1.8 },
  resident: { web: 1.5, worker: 1.5, all: 1.6 },
}

export const start: Bench = {
  title: "from launch to ready, and memory at rest, against a bare Bolt app that listens",
  needsRedis: true,

  async run({ rounds }) {
    build()
    await using redis = await startRedisServer()
    const { slack, docs, env } = await startOtherParties({})
    const pairs = await alternate(
      { rounds },
      async () => startOf([BARE_BOLT], env, answers),
      async () => {
        const sample: Record<string, number> = {}
        for (const type of TYPES) {
          const started = await startOf([BOT, type], { ...env, REDIS_URL: redis.url }, saysReady)
          for (const [key, figure] of Object.entries(started)) sample[`${type}:${key}`] = figure
        }
        return sample
      },
    )
    await Promise.all([slack.close(), docs.close()])
    return {
      rows: [
        ...TYPES.map((type) => against(pairs, type, "ready", `${type} until ready`, "ms")),
        ...TYPES.map((type) => against(pairs, type, "resident", `memory of ${type}`, "MB")),
      ],
      notes: [
        "Ours is ready when /readyz says so: Redis accepts writes and Slack has told the bot who it is.",
        "Each start is a new process; the build is in the disk cache.",
        "The build holds the bot's packages in a few files; the bare app reads its own from node_modules, as in Bolt's guide.",
      ],
    }
  },
}

async function startOf(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (origin: string) => Promise<boolean>,
): Promise<Sample> {
  await using program = await launch(args, env, isReady)
  await delay(SETTLE_MS)
  const { residentBytes } = processFacts(program.pid)
  return { ready: program.readyMs, resident: residentBytes / 2 ** 20 }
}

/** It listens: whatever it answers. */
async function answers(origin: string): Promise<boolean> {
  const answer = await request(origin)
  await answer.body.dump()
  return true
}

function against(
  pairs: readonly Pair[],
  type: (typeof TYPES)[number],
  key: keyof typeof GOALS,
  what: string,
  unit: Row["unit"],
): Row {
  const renamed = pairs.map(({ reference, ours }) => ({
    reference,
    ours: { [key]: ours[`${type}:${key}`] ?? Number.NaN },
  }))
  const row = compare(renamed, key, what, unit, { atMost: GOALS[key][type] })
  return { ...row, key: `${type}:${key}` }
}
