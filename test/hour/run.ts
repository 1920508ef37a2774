import { setTimeout as delay } from "node:timers/promises"
import { Redis } from "ioredis"
import { EPOCH, queueKeys } from "../../src/jobs/keys.ts"
import type { CreationOutcome } from "../../src/jobs/limit/creation-outcome.ts"
import { type CreationSlots, createCreationSlots } from "../../src/jobs/limit/creation-slots.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import type { RedisServer } from "../helpers/redis-server.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"
import { Crowd } from "./crowd.ts"

/** What counts as the hour, in ms: the real limiter on the real clock, only with a shorter window. */
const WINDOW_MS = 2000
/** From the grant to the latest moment that a creation can arrive, ms. */
const CREATION_MS = 300
const SEND_WITHIN_MS = 100
const COLD_MS = 200
const PROCESSES = 3
/** So many keep both Redis and this process busy: each has one creation in flight. */
const CROWDED_PROCESSES = 12
/** Between two times that a process looks for what others left in hand, in ms. */
const SWEEP_MS = 50

export interface Weather {
  readonly name: string
  readonly ceiling: number
  /** Longest the service takes, ms. */
  readonly answerMs: number
  /** Chances for each creation: its process dies; nobody learns the outcome; it has no effect. */
  readonly kill?: number
  readonly unknown?: number
  readonly refused?: number
  /** Chance that a process is held up between the grant and the request. */
  readonly heldUp?: number
  /** Ms between two times that Redis forgets everything; absent = never. */
  readonly forgetEveryMs?: number
  readonly windowMs?: number
  /** Whether thousands wait: see `crowd.ts`. */
  readonly isCrowded?: boolean
}

export const WEATHERS: readonly Weather[] = [
  // What a slot takes beyond its window is the time from its grant to its answer: some ms, and on a
  // busy machine 300, which are nothing in an hour but three percent of ten seconds.
  { name: "saturated", ceiling: 20, answerMs: 10, windowMs: 20_000 },
  { name: "one at a time", ceiling: 1, answerMs: 50, unknown: 0.1 },
  {
    name: "hostile",
    ceiling: 30,
    answerMs: 200,
    kill: 0.05,
    unknown: 0.05,
    refused: 0.1,
    heldUp: 0.1,
  },
  { name: "forgetful", ceiling: 30, answerMs: 150, forgetEveryMs: 1500 },
]

/** Ceilings that two cores reach, so that they bind: a million creations take about 25 minutes. */
export const CROWDS: readonly Weather[] = [
  { name: "crowded", ceiling: 700, answerMs: 0, isCrowded: true },
  {
    name: "crowded and hostile",
    ceiling: 700,
    answerMs: 0,
    kill: 0.0005,
    unknown: 0.002,
    refused: 0.001,
    heldUp: 0.0005,
    isCrowded: true,
  },
]

export interface Found {
  readonly weather: Weather
  readonly arrivals: number
  readonly seconds: number
  /** Most arrivals at the service in any span of one window. */
  readonly most: number
  /** The share of the ceiling that is spent, as a mean over all moments after the first window. */
  readonly used: number
  readonly violations: readonly string[]
}

/**
 * Runs several processes' limiters against one Redis while somebody always waits.
 * @param until the run ends after so many seconds, or when so many creations have arrived
 */
export async function runHour(
  server: RedisServer,
  weather: Weather,
  until: { seconds?: number; creations?: number; seed: number },
): Promise<Found> {
  await server.client.flushall()
  // What many send at the same moment travels together.
  const redis = new Redis(server.url, { enableAutoPipelining: weather.isCrowded === true })
  const { seconds = Number.POSITIVE_INFINITY, creations = Number.POSITIVE_INFINITY } = until
  const world = new World(redis, weather, dice(until.seed))
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end || world.arrivals >= creations
  await Promise.all([
    world.keepAsking(isOver),
    world.forgetNowAndThen(isOver),
    ...Array.from({ length: weather.isCrowded ? CROWDED_PROCESSES : PROCESSES }, () =>
      world.live(isOver),
    ),
  ])
  redis.disconnect()
  return world.found()
}

class World {
  readonly #redis: Redis
  readonly #weather: Weather
  readonly #dice: Dice
  readonly #queue: ReturnType<typeof openQueue>
  readonly #crowd: Crowd
  readonly #windowMs: number
  readonly #began = performance.now()
  /** When creations arrived at the service, and when a slot was spent without one; ms. */
  readonly #arrivals: number[] = []
  readonly #doubtful: number[] = []
  readonly #seen = new Set<string>()
  readonly #violations: string[] = []
  readonly #processes = new Set<CreationSlots>()

  constructor(redis: Redis, weather: Weather, chances: Dice) {
    this.#redis = redis
    this.#weather = weather
    this.#dice = chances
    this.#windowMs = weather.windowMs ?? WINDOW_MS
    this.#queue = openQueue(redis, {
      firstPollMs: 3_600_000,
      jobsPerHour: weather.ceiling,
      windowMs: this.#windowMs,
      creationDeadlineMs: CREATION_MS,
      coldMs: COLD_MS,
      pauses: { firstMs: 20, outageFirstMs: 20, longestMs: 100 },
    })
    this.#crowd = new Crowd(redis, this.#queue)
  }

  get arrivals(): number {
    return this.#arrivals.length
  }

  /** Somebody always waits. */
  async keepAsking(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { ceiling, isCrowded } = this.#weather
      if (isCrowded) await this.#crowd.fill(ceiling)
      else if ((await this.#redis.zcard(queueKeys(PROJECT).wait)) < ceiling)
        await this.#queue.ask(this.#dice.pick(["U1", "U2", "U3"]), 20)
      await delay(20)
    }
  }

  /** One process after the other in one place: where one dies, another begins. */
  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const slots = this.#launch()
      await this.#work(slots, isOver)
      this.#processes.delete(slots)
    }
  }

  async forgetNowAndThen(isOver: () => boolean): Promise<void> {
    const { forgetEveryMs } = this.#weather
    while (forgetEveryMs !== undefined && !isOver()) {
      await delay(forgetEveryMs * this.#dice.between(0.5, 1.5))
      await this.#redis.flushdb()
      await this.#redis.del(EPOCH)
      await Promise.all([...this.#processes].map((slots) => slots.reseed()))
    }
  }

  found(): Found {
    const [end, windowMs] = [performance.now(), this.#windowMs]
    const from = this.#began + windowMs
    // At how many moments a slot counts, for each slot.
    const counted = [...this.#arrivals, ...this.#doubtful].map((at) =>
      Math.max(0, Math.min(at + windowMs, end) - Math.max(at, from)),
    )
    const sum = counted.reduce((all, ms) => all + ms, 0)
    return {
      weather: this.#weather,
      arrivals: this.#arrivals.length,
      seconds: (end - this.#began) / 1000,
      most: mostIn(windowMs, this.#arrivals),
      used: sum / (this.#weather.ceiling * (end - from)),
      violations: this.#violations,
    }
  }

  #launch(): CreationSlots {
    const slots = createCreationSlots(this.#queue.slots, {
      jobsPerHour: this.#weather.ceiling,
      creationDeadlineMs: CREATION_MS,
      sendWithinMs: SEND_WITHIN_MS,
      windowMs: this.#windowMs,
      spacingMs: 0,
    })
    this.#processes.add(slots)
    return slots
  }

  /** Resolves when the process dies, or at the end. */
  async #work(slots: CreationSlots, isOver: () => boolean): Promise<void> {
    let die = () => {}
    const death = new Promise<"dead">((resolve) => {
      die = () => resolve("dead")
    })
    let sweepAt = 0
    while (!isOver()) {
      if (performance.now() >= sweepAt) {
        await slots.sweep(PROJECT)
        sweepAt = performance.now() + SWEEP_MS
      }
      const next = slots.next(PROJECT, ({ job }) => this.#create(job.id, die))
      const result = await Promise.race([next, death])
      if (result === "dead") return
      if (result !== "ran") await delay(Math.min(result.waitMs, 10))
    }
  }

  async #create(id: string, die: () => void): Promise<CreationOutcome> {
    const { answerMs, kill = 0, unknown = 0, refused = 0, heldUp = 0 } = this.#weather
    const chances = this.#dice
    if (chances.chance(heldUp)) await delay(chances.between(0, SEND_WITHIN_MS))
    if (chances.chance(refused)) return { kind: "put_back", reason: "rate_limited", pauseMs: 10 }
    const isKilled = chances.chance(kill)
    const arrives = !isKilled || chances.chance(0.5)
    if (answerMs > 0) await delay(chances.between(0, answerMs / 2))
    if (arrives) this.#arrived(id)
    else this.#doubtful.push(performance.now())
    if (isKilled) {
      die()
      // A dead process settles nothing: another one ends what it had in hand.
      return new Promise<never>(() => {})
    }
    if (answerMs > 0) await delay(chances.between(0, answerMs / 2))
    if (chances.chance(unknown)) return { kind: "unknown", detail: "a timeout" }
    return { kind: "created", agentJobId: `agent of ${id}` }
  }

  #arrived(id: string): void {
    if (this.#seen.has(id)) this.#violations.push(`${id} was created twice`)
    this.#seen.add(id)
    this.#arrivals.push(performance.now())
    if (this.#weather.isCrowded) this.#crowd.ended(id)
  }
}

/** Most of these moments in any span of this length. */
function mostIn(spanMs: number, moments: readonly number[]): number {
  const times = moments.toSorted((a, b) => a - b)
  let [most, from] = [0, 0]
  for (const [i, at] of times.entries()) {
    while (at - (times[from] ?? at) >= spanMs) from += 1
    most = Math.max(most, i - from + 1)
  }
  return most
}

export function report({ weather, arrivals, seconds, most, used }: Found): string {
  const share = (used * 100).toFixed(1)
  const pace = (arrivals / seconds).toFixed(0)
  return `${weather.name}: ${arrivals} creations, ${pace} a second, ${most} of ${weather.ceiling} at most in a window, ${share}% used`
}
