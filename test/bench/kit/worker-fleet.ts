import { Redis } from "ioredis"
import { request } from "undici"
import { keys, WAKE_CHANNEL } from "../../../src/redis/keys.ts"
import { fromPrompt } from "../../../src/redis/prompt-record.ts"
import { WAKES } from "../../../src/redis/schedules/wake-ups.lua.ts"
import type { RedisServer } from "../../helpers/redis-server.ts"
import { people, promptOf } from "./commands.ts"
import { BOT, launch, type Program, saysReady } from "./program.ts"

/** Some workers as an operator runs them, in a database of their own. */
export class WorkerFleet implements AsyncDisposable {
  readonly workers: readonly Program[]
  readonly #redis: Redis
  readonly #ids: string[] = []
  #asked = 0

  private constructor(workers: readonly Program[], redis: Redis) {
    this.workers = workers
    this.#redis = redis
  }

  static async launch(
    server: RedisServer,
    database: number,
    workers: number,
    env: Readonly<Record<string, string>>,
  ): Promise<WorkerFleet> {
    const redis = new Redis({ port: server.port, db: database })
    // The processes of a new Redis wait for each other's reports; here there are none to wait for.
    const run = /run_id:(\w+)/.exec(await redis.info("server"))?.[1] ?? ""
    await redis.set(keys.epoch, `0 ${run}`)
    const settings = { ...env, REDIS_URL: `${server.url}/${database}` }
    const launched = Array.from({ length: workers }, () =>
      launch([BOT, "worker"], settings, saysReady),
    )
    return new WorkerFleet(await Promise.all(launched), redis)
  }

  /** Makes so many active jobs due, all at once. */
  async makeDue(count: number, project: string): Promise<void> {
    while (this.#ids.length < count) await this.#addJob(project, { state: "active" })
    const at = Date.now()
    await this.#redis.zadd(keys.due, ...this.#ids.slice(0, count).flatMap((id) => [at, id]))
    await this.#redis.publish(WAKE_CHANNEL, `${keys.due} 0`)
  }

  /** Queues so many requests in each project, which may start all at once. */
  async ask(count: number, projects: readonly string[]): Promise<void> {
    for (let n = 0; n < count; n += 1)
      await Promise.all(projects.map((project) => this.#queue(project)))
    await this.#redis.sadd(keys.busy, ...projects)
    await this.#redis.publish(WAKE_CHANNEL, `${WAKES.dispatch} 0`)
  }

  /** What each worker counted so far, by one of its metrics. */
  async counted(metric: string): Promise<number[]> {
    return Promise.all(this.workers.map(({ url }) => sumOf(metric, new URL(url).origin)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.workers) await worker[Symbol.asyncDispose]()
    this.#redis.disconnect()
  }

  async #queue(project: string): Promise<void> {
    const tag = this.#asked
    const id = await this.#addJob(project, { state: "queued", tag: String(tag) })
    await this.#redis.set(keys.prompt(id), fromPrompt({ words: promptOf(tag) }))
    await this.#redis.zadd(keys.project(project).wait, tag, id)
  }

  /** Quiet and with its card posted, so that nothing is said in Slack meanwhile. */
  async #addJob(project: string, more: Readonly<Record<string, string>>): Promise<string> {
    const n = this.#asked++
    const id = `bench-${n}`
    const [user = ""] = people(1)
    const now = String(Date.now())
    await this.#redis.hset(keys.job(id), {
      v: "1",
      project,
      team: "T0LOCAL",
      channel: "C0DOCS",
      user,
      at: now,
      tag: "0",
      rev: "1",
      shown: "1",
      card: "1.1",
      quiet: "1",
      agent: `agent-${n}`,
      started: now,
      ...more,
    })
    if (more.state === "active") this.#ids.push(id)
    return id
  }
}

async function sumOf(metric: string, origin: string): Promise<number> {
  const text = await (await request(`${origin}/metrics`)).body.text()
  const values = text.matchAll(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)$`, "gm"))
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0)
}
