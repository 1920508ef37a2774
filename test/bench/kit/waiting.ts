import { secret } from "../../../src/config/secret.ts"
import { BottleneckCreationSlots } from "../../../src/limits/creation-slots.ts"
import { connectRedis } from "../../../src/redis/connection/connect.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import type { RedisClient } from "../../../src/redis/script.ts"
import { createLog } from "../../../src/runtime/log.ts"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { people, promptOf } from "./commands.ts"

/** Far more than a benchmark starts: the ceiling is not what is measured. */
const NO_CEILING = 1_000_000_000
/** Long enough that nothing is late on a busy machine, ms. */
const CREATION_MS = 20_000
/** What counts as the hour, ms: short, so that a slot is given back for each that is taken. */
const WINDOW_MS = 1000
const TEAM = "T0LOCAL"
const CHANNEL = "C0DOCS"

/** Does something so many times, so many of them at once. Resolves to how many a second. */
export async function inLines(
  count: number,
  lines: number,
  once: () => Promise<unknown>,
): Promise<number> {
  const begun = performance.now()
  let left = count
  const line = async () => {
    while (left > 0) {
      left -= 1
      await once()
    }
  }
  await Promise.all(Array.from({ length: lines }, line))
  return (count * 1000) / (performance.now() - begun)
}

/** Projects with requests waiting, and the limiter of one process that has met all of them. */
export class Lanes implements AsyncDisposable {
  readonly #redis: RedisClient
  readonly #slots: BottleneckCreationSlots
  readonly #fill: (count: number) => Promise<unknown>
  readonly #names: readonly string[]
  #waiting = 0
  #next = 0

  private constructor(server: RedisServer, names: readonly string[]) {
    const address = { kind: "server", url: secret(server.url) } as const
    this.#redis = connectRedis(address, "worker", createLog("silent", []))
    this.#slots = createSlots(this.#redis)
    this.#fill = createFiller(server, names)
    this.#names = names
  }

  /** @param waiting at once, over all projects; at least one of each is queued and started. */
  static async open(server: RedisServer, projects: number, waiting: number): Promise<Lanes> {
    const of = Array.from({ length: projects }, (_, n) => `of-${projects}-${waiting}-${n}`)
    const lanes = new Lanes(server, of)
    // A limiter opens when its project first starts something, once in the life of a process.
    await lanes.refill(Math.max(waiting, projects))
    await lanes.start(projects, Math.min(projects, 500))
    return lanes
  }

  /** Queues requests until as many wait again. */
  async refill(waiting: number): Promise<void> {
    await this.#fill(Math.max(0, waiting - this.#waiting))
    this.#waiting = Math.max(waiting, this.#waiting)
  }

  /** Starts so many, in all projects in turn. Resolves to how many a second. */
  async start(count: number, concurrency: number): Promise<number> {
    this.#waiting -= count
    return inLines(count, concurrency, () => this.#startOne())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#slots.stop()
    this.#redis.disconnect()
  }

  async #startOne(): Promise<void> {
    const project = this.#names[this.#next++ % this.#names.length] ?? ""
    const agentJobId = `agent-${project}-${this.#next}`
    const result = await this.#slots.next(project, async () => ({ kind: "created", agentJobId }))
    if (result !== "ran") throw new Error(`${project} starts nothing for ${result.waitMs} ms`)
  }
}

function createSlots(redis: RedisClient): BottleneckCreationSlots {
  const limits = {
    jobsPerHour: NO_CEILING,
    reservedSlots: 5,
    creationMs: CREATION_MS,
    coldMs: 0,
    windowMs: WINDOW_MS,
  }
  return new BottleneckCreationSlots(createSlotStore(redis, limits), {
    ...limits,
    sendWithinMs: CREATION_MS,
    firstPollMs: 3_600_000,
    spacingMs: 0,
  })
}

/** Queues requests in all projects in turn, their cards posted, so that they may start. */
function createFiller({ client }: RedisServer, projects: readonly string[]) {
  const store = createJobStore(client, { maxQueuedPerUser: NO_CEILING })
  const who = people(500)
  let queued = 0
  const one = async (): Promise<void> => {
    const n = queued++
    const project = projects[n % projects.length] ?? ""
    const accepted = await store.enqueue({
      project,
      team: TEAM,
      channel: CHANNEL,
      user: who[n % who.length] ?? "",
      prompt: { words: promptOf(n) },
      idempotencyKey: `${project}-${n}`,
    })
    if (accepted.outcome !== "queued") throw new Error(`not queued: ${accepted.outcome}`)
    await client.hset(keys.job(accepted.id), "card", "1.1")
  }
  return (count: number) => inLines(count, 64, one)
}
