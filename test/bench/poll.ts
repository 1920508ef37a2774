import { setTimeout as delay } from "node:timers/promises"
import { setup as build } from "../helpers/build.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench } from "./kit/bench.ts"
import { closing } from "./kit/closing.ts"
import { GetLoop } from "./kit/get-loop.ts"
import { copyKeys, listJobs, pendingJobs } from "./kit/pending-jobs.ts"
import { processFacts } from "./kit/process-facts.ts"
import { BOT, launch, saysReady } from "./kit/program.ts"
import { redisCounts } from "./kit/redis-counts.ts"
import { alone, alternate, compare, median, type Sample } from "./kit/rounds.ts"
import { BareService } from "./kit/service.ts"

/** More than can be polled in the shortest interval: some are due at any time. */
const JOBS = 6000
const INTERVAL_MS = "50"
/** As many as the bot's own client has. */
const CONNECTIONS = 32
/** As many as a worker has leased. */
const IN_HAND = 64
const ROUND_MS = 3000

export const poll: Bench = {
  title: "a worker's polls (claim, GET, validate, reschedule), against a bare undici.request loop",
  needsRedis: true,

  async run({ rounds, share }) {
    build()
    await using redis = await startRedisServer()
    await using service = await BareService.start()
    const { active } = await pendingJobs(redis)
    await copyKeys(redis.client, [active.record], { first: 0, count: JOBS })
    await listJobs(redis.client, "active", { first: 0, count: JOBS, score: 0 })
    await using bare = new GetLoop(service.url, CONNECTIONS, IN_HAND)
    const { slack, docs, env } = await startOtherParties({})
    await using _ = closing(slack, docs)
    const worker = { ...env, REDIS_URL: redis.url, DOCS_API_URL: service.url, LOG_LEVEL: "warn" }
    const pace = { POLL_MIN_MS: INTERVAL_MS, POLL_MAX_MS: INTERVAL_MS }
    await using ours = await launch([BOT, "worker"], { ...worker, ...pace }, saysReady)
    process.kill(ours.pid, "SIGSTOP")
    const forMs = ROUND_MS * Math.max(share, 0.2)
    const pairs = await alternate(
      { rounds },
      () => measure(service, bare.pid, () => bare.run(forMs)),
      () => measureOurs(redis, service, ours.pid, forMs),
    )
    const ourFigure = (key: string) => median(pairs.map((pair) => pair.ours[key] ?? Number.NaN))
    return {
      rows: [
        compare(pairs, "perSecond", "polls", "/s", { atLeast: 0.65 }),
        compare(pairs, "cpu", "CPU per poll", "µs"),
        alone("roundTrips", "Redis round trips per poll", "", ourFigure("roundTrips")),
        alone("redisCpu", "CPU of Redis per poll", "µs", ourFigure("redisCpu")),
      ],
      notes: [
        `${CONNECTIONS} connections, ${JOBS} jobs, some of them due at any time; no poll finds anything new.`,
        "The service answers the same bytes to every request, in a process of its own.",
      ],
    }
  },
}

async function measure(
  service: BareService,
  pid: number,
  run: () => Promise<void>,
): Promise<Sample> {
  const answeredBefore = await service.answered()
  const cpuBefore = processFacts(pid).cpuMs
  const started = performance.now()
  await run()
  const seconds = (performance.now() - started) / 1000
  const cpuMs = processFacts(pid).cpuMs - cpuBefore
  const count = (await service.answered()) - answeredBefore
  return { count, perSecond: count / seconds, cpu: (cpuMs * 1000) / count }
}

/** The worker polls whenever jobs are due, which here is always: in between it is stopped. */
async function measureOurs(
  redis: RedisServer,
  service: BareService,
  pid: number,
  forMs: number,
): Promise<Sample> {
  const before = await redisCounts(redis)
  const sample = await measure(service, pid, async () => {
    process.kill(pid, "SIGCONT")
    await delay(forMs)
    process.kill(pid, "SIGSTOP")
  })
  const after = await redisCounts(redis)
  const polls = sample.count ?? Number.NaN
  return {
    ...sample,
    roundTrips: (after.reads - before.reads) / polls,
    redisCpu: ((after.cpuMs - before.cpuMs) * 1000) / polls,
  }
}
