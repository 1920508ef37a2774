import type { Redis } from "ioredis"
import { placesOf } from "../../src/jobs/places.ts"
import type { JobStore } from "../../src/jobs/ports.ts"
import type { QueueStore } from "../../src/jobs/queue-ports.ts"
import { LIGHT_USER_CREATIONS } from "../../src/jobs/simulated-hour.ts"
import { keys } from "../../src/redis/keys.ts"
import type { ReadProjectNames } from "../../src/redis/projects/names.ts"
import { fingerprint } from "../../src/redis/queue/enqueue.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import { forgetNowAndThen } from "./forgetting.ts"
import { Ledger } from "./ledger.ts"
import { letPeopleAsk } from "./people.ts"
import { SimulatedProcess } from "./process.ts"
import { Ceilings, namesFor, openStores, reconfigureNowAndThen, type Setup } from "./setup.ts"
import { Timeline } from "./timeline.ts"
import { PROJECT } from "./times.ts"
import type { Weather } from "./weather.ts"

/** Nobody asks for a day at most; longer without a creation means that the queue is stuck. */
const STUCK_MS = 2 * 86_400_000
const START = Date.UTC(2026, 10, 20)

/** One project, its people, its processes and its service, in simulated time on a real Redis. */
export class World {
  readonly weather: Weather
  readonly dice: Dice
  readonly timeline = new Timeline(START)
  readonly ledger = new Ledger()
  readonly redis: Redis
  /** What the next process starts with. */
  setup: Setup
  jobs: JobStore
  queue: QueueStore
  readonly #ceilings = new Ceilings()
  readonly #names = new Map<string, ReadProjectNames>()
  readonly processes: SimulatedProcess[] = []
  readonly #limits: { jobsPerHour: number; reservedSlots: number; windowMs: number }
  #asked = 0
  #started = 0
  #litter: string[] = []

  /** @param redis a database of its own: the world empties it. */
  constructor(redis: Redis, weather: Weather, seed: number) {
    this.redis = redis
    this.weather = weather
    this.dice = dice(seed)
    this.setup = { name: PROJECT, ceiling: weather.ceiling, key: "key" }
    const { limits, jobs, queue } = this.stores()
    this.#limits = limits
    this.jobs = jobs
    this.queue = queue
    this.#ceilings.set(weather.ceiling, START)
  }

  /** Those of a process that starts now. */
  stores() {
    const { name } = this.setup
    const names = this.#names.get(name) ?? namesFor(this.redis, name)
    this.#names.set(name, names)
    const { now } = this.timeline
    return openStores(this.redis, this.setup, names, { reserved: this.weather.reserved, now })
  }

  /** People are served by a process with the new settings from now on; the others follow. */
  reconfigure(setup: Setup): void {
    this.setup = setup
    const { jobs, queue } = this.stores()
    this.jobs = jobs
    this.queue = queue
    this.#ceilings.set(setup.ceiling, this.timeline.now())
    this.ledger.counts.reconfigured += 1
  }

  /** Lives until so many creations have arrived. */
  async live(creations: number): Promise<this> {
    await this.redis.flushdb()
    for (let i = 0; i < this.weather.processes; i += 1) this.startProcess()
    letPeopleAsk(this)
    forgetNowAndThen(this)
    reconfigureNowAndThen(this)
    const { arrivals, violations } = this.ledger
    await this.timeline.run(() => {
      const idleMs = this.timeline.now() - (arrivals.at(-1) ?? START)
      if (idleMs > STUCK_MS) violations.push("nothing was started for days")
      return arrivals.length >= creations || violations.length > 0
    })
    this.#judge()
    return this
  }

  #judge(): void {
    const { ceiling, name, reserved } = this.weather
    const { longestOvertaking, violations } = this.ledger
    const most = this.ledger.mostInAnHour()
    const over = this.ledger.overfullHour((from, until) => this.#ceilings.highest(from, until))
    if (over) violations.push(over)
    // Pauses and lowered ceilings cost some of it; a queue that a new name cannot see costs nearly all.
    if (this.weather.reconfigureEveryMs !== undefined && this.used() < 0.5)
      violations.push(`only ${(this.used() * 100).toFixed(1)} % of the ceilings was used`)
    if (most > ceiling) violations.push(`${most} creations in one hour; the ceiling is ${ceiling}`)
    // The reserved slots let a light asker pass a heavy one on purpose.
    const patience = reserved > 0 ? 1 + LIGHT_USER_CREATIONS : 1
    if (longestOvertaking > patience)
      violations.push(`a single request let ${longestOvertaking} of one person pass`)
    if (name === "saturated" && this.used() < 0.98)
      violations.push(`only ${(this.used() * 100).toFixed(1)} % of the ceiling was used`)
  }

  /** The share of the ceiling that was used. */
  used(): number {
    const now = this.timeline.now()
    return this.ledger.used(this.#ceilings.average(START, now), START, now)
  }

  startProcess(): void {
    this.#started += 1
    const process = new SimulatedProcess(this, `process ${this.#started}`)
    this.processes.push(process)
    process.start()
  }

  /** Somebody asks for so many changes; their cards are posted at once. */
  async ask(user: string, n: number): Promise<void> {
    for (let i = 0; i < n; i += 1) {
      this.#asked += 1
      const words = `prompt ${this.#asked}`
      const request = { project: this.setup.name, team: "T", channel: "C", user, prompt: { words } }
      const accepted = await this.jobs.enqueue({ ...request, idempotencyKey: words })
      if (accepted.outcome !== "queued") throw new Error(`not queued: ${accepted.outcome}`)
      const { id } = accepted
      await this.redis.hset(keys.job(id), "card", "1.1")
      const entry = this.ledger.asked(id, user, this.timeline.now())
      this.#litter.push(keys.seen(words), keys.same(fingerprint(PROJECT, user, { words })))
      if (this.weather.judged && this.dice.chance(0.02)) entry.forecast = await this.#forecast(id)
      if (this.dice.chance(this.weather.cancel))
        this.timeline.after(this.dice.between(0, 600_000), () => this.#cancel(id))
    }
    for (const process of this.processes) process.wake()
  }

  /** What everybody who waits is told now. */
  async forecastAll(): Promise<void> {
    const places = placesOf(await this.queue.facts(this.setup.name), this.#limits)
    for (const entry of this.ledger.waiting.values()) {
      const place = places.get(entry.id)
      entry.forecast = place && { ...place, startsSeen: this.ledger.counts.started }
    }
  }

  async #forecast(id: string) {
    const place = placesOf(await this.queue.facts(this.setup.name), this.#limits).get(id)
    return place && { ...place, startsSeen: this.ledger.counts.started }
  }

  async #cancel(id: string): Promise<void> {
    const job = await this.jobs.get(id)
    if (job && (await this.jobs.endQueued(job, "cancelled"))) this.ledger.waiting.delete(id)
  }

  /** Forgets what a finished job leaves behind, so that a long run fits into memory. */
  async sweepUp(id: string, token: string): Promise<void> {
    this.#litter.push(keys.job(id), keys.prompt(id), keys.grant(token))
    if (this.#litter.length < 900) return
    const old = this.#litter.splice(0, 600)
    await Promise.all([
      this.redis.del(...old),
      this.redis.del(keys.outbox, keys.carding, keys.due, keys.user("U1")),
    ])
  }
}
