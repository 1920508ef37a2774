import { setup as build } from "../helpers/build.ts"
import { startRedisServer } from "../helpers/redis-server.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench, Goal, Row } from "./kit/bench.ts"
import { alone, alternate, compare, median, type Pair, type Sample } from "./kit/rounds.ts"
import { TallyService } from "./kit/tally.ts"
import { WorkerFleet } from "./kit/worker-fleet.ts"

const SIZES = [1, 2, 4] as const
/** Each kind of work: a service that answers at once, and one that is far away. */
const POLLS = { near: { count: 36_000, delayMs: 0 }, far: { count: 1920, delayMs: 50 } } as const
const PROJECTS = Array.from({ length: 100 }, (_, n) => `project-${n}`)
/** In each project; a round spends so much of its hour. */
const CREATIONS = 5
/** More would outlast the machine's patience: seven processes share its cores. */
const MOST_ROUNDS = 5

export const workers: Bench = {
  title: "polls and creations of two and four worker processes, against one",
  needsRedis: true,

  async run({ rounds, share }) {
    build()
    await using redis = await startRedisServer()
    await using service = await TallyService.start()
    const { slack, docs, env } = await startOtherParties({})
    const fleets = new Map<number, WorkerFleet>()
    for (const size of SIZES)
      fleets.set(size, await WorkerFleet.launch(redis, size, size, settings(env, service)))
    const run = async (size: number) => {
      const fleet = fleets.get(size)
      if (!fleet) throw new Error(`There is no fleet of ${size}`)
      return work(fleet, service, share)
    }
    const pairs = await alternate(
      { rounds: Math.min(rounds, MOST_ROUNDS) },
      () => run(1),
      async () => ({ ...named(await run(2), 2), ...named(await run(4), 4) }),
    )
    for (const fleet of fleets.values()) await fleet[Symbol.asyncDispose]()
    await Promise.all([slack.close(), docs.close()])
    return { rows: rowsOf(pairs), notes: notes(share) }
  },
}

function settings(env: Readonly<Record<string, string>>, service: TallyService) {
  const { apiKey: key } = SECRETS
  return {
    ...env,
    DOCS_API_URL: service.url,
    DOCS_PROJECTS: JSON.stringify(PROJECTS.map((name) => ({ name, id: name, key }))),
    // Once polled, a job is not due again while this lasts: what is polled twice was polled by two.
    POLL_MIN_MS: "3600000",
    POLL_MAX_MS: "3600000",
    RESERVED_SLOTS: "0",
    LOG_LEVEL: "warn",
  }
}

/** Everything once. @throws Error when anything was asked of the service twice. */
async function work(fleet: WorkerFleet, service: TallyService, share: number): Promise<Sample> {
  const sample: Record<string, number> = {}
  for (const [kind, { count, delayMs }] of Object.entries(POLLS)) {
    const due = Math.round(count * share)
    const before = await fleet.counted("docs_agent_polls_total")
    await service.forget(delayMs)
    await fleet.makeDue(due, PROJECTS[0] ?? "")
    sample[kind] = due / (await service.until(due)).seconds
    const after = await fleet.counted("docs_agent_polls_total")
    sample[`${kind}:even`] = evenness(after.map((count, i) => count - (before[i] ?? 0)))
  }
  const each = Math.max(2, Math.round(CREATIONS * share))
  await service.forget(0)
  await fleet.ask(each, PROJECTS)
  const { different, seconds } = await service.until(each * PROJECTS.length)
  return { ...sample, creations: different / seconds }
}

/** The share of the one that did least, over an even share; in per cent. */
function evenness(counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0)
  return (Math.min(...counts) * counts.length * 100) / sum
}

function rowsOf(pairs: readonly Pair[]): Row[] {
  const rate = (key: string, what: string, size: number, goal?: Goal) => {
    const rates = pairs.map(({ reference, ours }) => ({
      reference: { [key]: reference[key] ?? Number.NaN },
      ours: { [key]: ours[`${size}:${key}`] ?? Number.NaN },
    }))
    const row = compare(rates, key, `${what}, ${size} workers`, "/s", goal)
    return { ...row, key: `${key}${size}` }
  }
  const even = (key: string, what: string, size: number, atLeast: number) => {
    const least = median(pairs.map(({ ours }) => ours[`${size}:${key}:even`] ?? 0))
    return alone(`${key}:even${size}`, `least of ${size}, ${what}`, "%", least, { atLeast })
  }
  return [
    rate("near", "polls", 2, { atLeast: 0.9 }),
    rate("near", "polls", 4, { atLeast: 0.8 }),
    rate("far", "polls, service 50 ms away", 2, { atLeast: 1.8 }),
    rate("far", "polls, service 50 ms away", 4, { atLeast: 3 }),
    rate("creations", "creations", 2, { atLeast: 1.8 }),
    rate("creations", "creations", 4, { atLeast: 3 }),
    ...([2, 4] as const).map((size) => even("near", "of an even share", size, 50)),
    ...([2, 4] as const).map((size) => even("far", "the same at 50 ms", size, 70)),
  ]
}

function notes(share: number): string[] {
  const { near, far } = POLLS
  return [
    `${near.count * share} and ${far.count * share} polls, and creations in ${PROJECTS.length} projects; nothing was asked of the service twice.`,
    "Workers, Redis and service share the machine's cores: with the service near, cores are what is short.",
    "A worker leaves 250 ms between two creations of a project; the reference is one worker.",
  ]
}

function named(sample: Sample, size: number): Sample {
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [`${size}:${key}`, value]))
}
