import { setTimeout as delay } from "node:timers/promises"
import { createPollQueue } from "../../src/redis/jobs/poll-queue.ts"
import { createJobStore } from "../../src/redis/jobs/store.ts"
import { setup as build } from "../helpers/build.ts"
import { type RedisServer, startRedisServer } from "../helpers/redis-server.ts"
import { DOCS, TEAM } from "../sandbox/slack/seed/ids.ts"
import { SECRETS, startOtherParties } from "../sandbox/test-bed.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { closing } from "./kit/closing.ts"
import { promptOf } from "./kit/commands.ts"
import { copyKeys, type Kind, listJobs, type Pattern, pendingJobs } from "./kit/pending-jobs.ts"
import { processFacts } from "./kit/process-facts.ts"
import { BOT, launch, saysReady } from "./kit/program.ts"
import { scriptTime, usedMemory } from "./kit/redis-counts.ts"
import { alone, alternate, compare, type Pair, type Sample } from "./kit/rounds.ts"
import { BareService } from "./kit/service.ts"

/** The reference is a server with as few jobs as the first of these. */
const SIZES = [1000, 10_000, 100_000, 1_000_000]
const FEW = SIZES[0] ?? 0
/** Notes run out within a day, so there are never as many of them. */
const NOTED = 10_000
const BATCH = 32
const BATCHES = 300
const POLLING_MS = 2500

export const scale: Bench = {
  title: "1,000 to 1,000,000 pending jobs: memory of Redis and of a worker",
  needsRedis: true,

  async run({ rounds, share }) {
    build()
    // No file: it would only make the filling slow.
    await using few = await Crowd.start()
    await using many = await Crowd.start()
    await few.grow("active", FEW)
    // Redis keeps statistics of each command from its first use on: no job of ours has to pay for them.
    await many.grow("active", 1)
    const rows: Row[] = []
    for (const size of SIZES.filter((count) => count <= 1_000_000 * share)) {
      const bytes = await many.grow("active", size)
      rows.push(alone(`bytes${size}`, `${name(size)}: Redis per followed job`, "B", bytes, BYTES))
      if (size > FEW) rows.push(...claimRows(size, await claims(few, many, rounds)))
    }
    await many.letRest(FEW)
    rows.push(...(await workerRows(few, many, Math.min(rounds, 3))))
    const prompts = await many.bytesOf((pattern) => [pattern.prompt], Math.min(many.size, 100_000))
    const notes = await many.bytesOf((pattern) => pattern.notes, NOTED)
    await few.grow("waiting", FEW)
    const waiting = await many.grow("waiting", many.size)
    rows.push(
      alone("promptBytes", "its prompt of 210 characters", "B", prompts),
      alone("noteBytes", "its notes, for 15 minutes to 30 days", "B", notes),
      alone("waitingBytes", `${name(many.size)}: Redis per waiting job`, "B", waiting, BYTES),
      ...acceptRows(many.size, await accepts(few, many, rounds)),
    )
    return {
      rows,
      notes: [
        `The reference is ${name(FEW)} jobs on a server of their own.`,
        "Every job is a copy of one that the bot itself wrote, listed where the bot looks for it.",
        "A job's record and its places in lists are counted; its prompt and notes have rows of their own.",
      ],
    }
  },
}

const BYTES = { atMost: 500 }
const name = (count: number) => count.toLocaleString("en")

/** A Redis full of pending jobs. */
class Crowd implements AsyncDisposable {
  readonly redis: RedisServer
  /** Followed jobs, and waiting ones that come after them. */
  size = 0
  readonly #patterns: Record<Kind, Pattern>

  private constructor(redis: RedisServer, patterns: Record<Kind, Pattern>) {
    this.redis = redis
    this.#patterns = patterns
  }

  static async start(): Promise<Crowd> {
    const redis = await startRedisServer(["--appendonly", "no"])
    return new Crowd(redis, await pendingJobs(redis))
  }

  /** Until there are so many. Returns what each of the new ones takes, bytes. */
  async grow(kind: Kind, to: number): Promise<number> {
    const first = kind === "active" ? this.size : this.size * 2
    const count = kind === "active" ? to - this.size : to
    const before = await usedMemory(this.redis)
    await copyKeys(this.redis.client, [this.#patterns[kind].record], { first, count })
    const score = kind === "active" ? Date.now() - 3_600_000 : 1
    await listJobs(this.redis.client, kind, { first, count, score })
    if (kind === "active") this.size = to
    return ((await usedMemory(this.redis)) - before) / count
  }

  /** All but so many are not due today: workers have equally much to do, whoever has more to follow. */
  async letRest(butFor: number): Promise<void> {
    const range = { first: butFor, count: this.size - butFor }
    await listJobs(this.redis.client, "active", { ...range, score: Date.now() + 86_400_000 })
  }

  /** What these keys take when so many followed jobs have them, bytes each. They do not stay. */
  async bytesOf(keysOf: (pattern: Pattern) => string[], count: number): Promise<number> {
    const names = keysOf(this.#patterns.active)
    const before = await usedMemory(this.redis)
    await copyKeys(this.redis.client, names, { first: 0, count })
    return ((await usedMemory(this.redis)) - before) / count
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.redis[Symbol.asyncDispose]()
  }
}

/** Jobs are claimed and set to be polled again, which keeps all of them due. */
function claims(few: Crowd, many: Crowd, rounds: number): Promise<Pair[]> {
  const claim = async ({ redis }: Crowd): Promise<Sample> => {
    const queue = createPollQueue(redis.client, { leaseMs: 60_000, onBroken: fail })
    const before = await scriptTime(redis)
    for (let n = 0; n < BATCHES; n += 1) {
      const { lease, jobs } = await queue.claim(BATCH)
      if (jobs.length < BATCH) throw new Error(`Only ${jobs.length} jobs were due`)
      await queue.reschedule(
        lease,
        jobs.map(({ id }) => ({ id, waitMs: 0 })),
      )
    }
    return { claim: ((await scriptTime(redis)) - before) / (BATCH * BATCHES) }
  }
  return alternate(
    { rounds },
    () => claim(few),
    () => claim(many),
  )
}

function claimRows(size: number, pairs: Pair[]): Row[] {
  const what = `${name(size)}: claim and reschedule in Redis, per job`
  return [compare(pairs, "claim", what, "µs", { atMost: 1.5 })]
}

function fail(id: string, error: unknown): never {
  throw new Error(`The copy ${id} cannot be read`, { cause: error })
}

async function workerRows(few: Crowd, many: Crowd, rounds: number): Promise<Row[]> {
  await using service = await BareService.start()
  const { slack, docs, env } = await startOtherParties({})
  await using _ = closing(slack, docs)
  const work = async ({ redis }: Crowd): Promise<Sample> => {
    await using worker = await launch(
      [BOT, "worker"],
      {
        ...env,
        REDIS_URL: redis.url,
        DOCS_API_URL: service.url,
        JOBS_PER_HOUR: "1",
        POLL_MIN_MS: "50",
        POLL_MAX_MS: "50",
        LOG_LEVEL: "warn",
      },
      saysReady,
    )
    await delay(POLLING_MS)
    const megabytes = processFacts(worker.pid).residentBytes / 1e6
    return { ready: worker.readyMs, memory: megabytes }
  }
  const pairs = await alternate(
    { rounds },
    () => work(few),
    () => work(many),
  )
  return [
    compare(pairs, "memory", `${name(many.size)}: worker memory, polling`, "MB", { atMost: 1.1 }),
    compare(pairs, "ready", `${name(many.size)}: worker start until ready`, "ms", { atMost: 1.25 }),
  ]
}

/** Commands that are made durable behind all those that wait. */
function accepts(few: Crowd, many: Crowd, rounds: number): Promise<Pair[]> {
  let n = 0
  const accept = async ({ redis }: Crowd): Promise<Sample> => {
    const jobs = createJobStore(redis.client, { maxQueuedPerUser: 50 })
    const before = await scriptTime(redis)
    const count = 1000
    for (let i = 0; i < count; i += 1) {
      n += 1
      await jobs.enqueue({
        project: SECRETS.project,
        team: TEAM,
        channel: DOCS,
        user: `U9${String(n % 9973).padStart(7, "0")}`,
        prompt: { words: promptOf(n) },
        idempotencyKey: `command:${n}.scale`,
      })
    }
    return { accept: ((await scriptTime(redis)) - before) / count }
  }
  return alternate(
    { rounds },
    () => accept(few),
    () => accept(many),
  )
}

function acceptRows(size: number, pairs: Pair[]): Row[] {
  const what = `${name(size)} wait: one more is accepted in Redis`
  return [compare(pairs, "accept", what, "µs", { atMost: 1.5 })]
}
