import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { CompiledBot } from "../helpers/compiled-bot.ts"
import { launch, type Program, untilStarted } from "../helpers/process.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import type { RedisServer } from "../helpers/redis-server.ts"
import type { Loss } from "./judge.ts"
import { SKEWS_MS } from "./timing.ts"

const BOTS = ["web", "worker 1", "worker 2", "worker 3"] as const
const PARTS = [...BOTS, "redis"] as const
type Bot = (typeof BOTS)[number]
export type Part = (typeof PARTS)[number]

/** Time in ms that a supervisor waits before it restarts a process that exited. */
const AFTER_ITS_OWN_END_MS = 250

export interface FleetOptions {
  redis: RedisServer
  bot: CompiledBot
  env: Readonly<Record<string, string>>
  /** Folder for the files with everything that the processes print. */
  dir: string
  onWebPort: (port: number) => void
}

/** One web and three worker processes, restarted whenever they end, and their Redis. */
export class Fleet implements AsyncDisposable {
  readonly kills = new Map<Part, number>(PARTS.map((part) => [part, 0]))
  readonly losses: Loss[] = []
  /** Times in ms, by this process's clock, when killed workers were gone. */
  readonly workersLostAt: number[] = []
  /** Number of exits that the campaign did not cause. */
  crashes = 0
  readonly #options: FleetOptions
  readonly #programs = new Map<Bot, Program>()
  readonly #killed = new Set<Program>()
  readonly #up = new Set<Part>(["redis"])
  #closing = false

  constructor(options: FleetOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    for (const bot of BOTS) void this.#keepRunning(bot)
    while (this.#up.size < PARTS.length) {
      if (this.crashes > 0)
        throw new Error(`A process ended at its start: see ${this.#options.dir}`)
      await delay(50)
    }
  }

  isUp(part: Part): boolean {
    return this.#up.has(part)
  }

  /** Cuts the connections that tell workers about due work; notifications in between are lost. */
  async deafen(): Promise<void> {
    if (!this.#up.has("redis")) return
    await this.#options.redis.client.call("CLIENT", "KILL", "TYPE", "pubsub")
  }

  /** Empties Redis: the processes keep running and keep their connections. */
  async empty(): Promise<void> {
    const { client } = this.#options.redis
    const since = Date.now()
    // Takes all away at once, so that nothing is written between the reading and the emptying.
    await client.swapdb(0, 1)
    const until = Date.now()
    const taken = client.duplicate({ db: 1 })
    this.losses.push({ since, until, held: await dumpRedis(taken) })
    await taken.flushdb()
    taken.disconnect()
  }

  /** Sends SIGKILL; the process restarts at once. */
  async kill(part: Part): Promise<void> {
    this.kills.set(part, (this.kills.get(part) ?? 0) + 1)
    this.#up.delete(part)
    if (part === "redis") {
      await this.#options.redis.kill()
      await this.#options.redis.restart()
      this.#up.add("redis")
      return
    }
    const program = this.#programs.get(part)
    if (!program) return
    this.#killed.add(program)
    // Requests that it has sent arrive until it is gone, which takes a while on a busy machine.
    void program.kill("SIGKILL").then(() => {
      if (part.startsWith("worker")) this.workersLostAt.push(Date.now())
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#programs.values()].map((program) => program.kill("SIGKILL")))
  }

  async #keepRunning(bot: Bot): Promise<void> {
    const { bot: compiled, dir } = this.#options
    const skew = `--import=${compiled.skewed(SKEWS_MS[bot])}`
    const env = { ...this.#options.env, NODE_OPTIONS: skew }
    const type = bot === "web" ? "web" : "worker"
    while (!this.#closing) {
      const program = launch([type], env, compiled.entry)
      this.#programs.set(bot, program)
      void this.#markStarted(bot, program)
      const code = await program.gone
      const end = `--- ${new Date().toISOString()} ended: ${code ?? "killed"}\n`
      appendFileSync(join(dir, `${bot.replace(" ", "-")}.log`), program.output + end)
      this.#up.delete(bot)
      if (this.#killed.delete(program) || this.#closing) continue
      this.crashes += 1
      await delay(AFTER_ITS_OWN_END_MS)
    }
  }

  async #markStarted(bot: Bot, program: Program): Promise<void> {
    const started = await untilStarted(program).catch(() => undefined)
    if (!started || this.#killed.has(program) || this.#programs.get(bot) !== program) return
    this.#up.add(bot)
    if (bot === "web") this.#options.onWebPort(started.port)
  }
}
