import { setTimeout as delay } from "node:timers/promises"
import { type CreationSlots, createCreationSlots } from "../../src/jobs/creation-slots.ts"
import { EPOCH, queueKeys } from "../../src/jobs/keys.ts"
import type { CreationOutcome } from "../../src/jobs/outcome.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import type { RedisServer } from "../helpers/redis-server.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"

/** What counts as the hour, ms: the real limiter on the real clock, only with a shorter window. */
const WINDOW_MS = 2000
/** From the grant to the latest moment that a creation can arrive, ms. */
const CREATION_MS = 300
const SEND_WITHIN_MS = 100
const COLD_MS = 200
const PROCESSES = 3

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
}

export const WEATHERS: readonly Weather[] = [
  { name: "saturated", ceiling: 60, answerMs: 10 },
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

export interface Found {
  readonly weather: Weather
  readonly arrivals: number
  /** Most arrivals at the service in any span of one window. */
  readonly most: number
  /** Spent slots as a share of what the ceiling allows, the first window left out. */
  readonly used: number
  readonly violations: readonly string[]
}

/** Runs several processes' limiters against one Redis while somebody always waits. */
export async function runHour(
  server: RedisServer,
  weather: Weather,
  { seconds, seed }: { seconds: number; seed: number },
): Promise<Found> {
  await server.client.flushall()
  const world = new World(server, weather, dice(seed))
  const end = performance.now() + seconds * 1000
  await Promise.all([
    world.keepAsking(() => performance.now() >= end),
    world.forgetNowAndThen(() => performance.now() >= end),
    ...Array.from({ length: PROCESSES }, () => world.live(() => performance.now() >= end)),
  ])
  return world.found()
}

class World {
  readonly #server: RedisServer
  readonly #weather: Weather
  readonly #dice: Dice
  readonly #queue: ReturnType<typeof openQueue>
  readonly #began = performance.now()
  /** When creations arrived at the service, and when a slot was spent without one; ms. */
  readonly #arrivals: number[] = []
  readonly #doubtful: number[] = []
  readonly #seen = new Set<string>()
  readonly #violations: string[] = []
  readonly #processes = new Set<CreationSlots>()

  constructor(server: RedisServer, weather: Weather, chances: Dice) {
    this.#server = server
    this.#weather = weather
    this.#dice = chances
    this.#queue = openQueue(server.client, {
      jobsPerHour: weather.ceiling,
      windowMs: WINDOW_MS,
      creationMs: CREATION_MS,
      coldMs: COLD_MS,
      pauses: { firstMs: 20, outageFirstMs: 20, longestMs: 100 },
    })
  }

  /** Somebody always waits. */
  async keepAsking(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const waiting = await this.#server.client.zcard(queueKeys(PROJECT).wait)
      if (waiting < this.#weather.ceiling)
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
      await this.#server.client.flushdb()
      await this.#server.client.del(EPOCH)
      await Promise.all([...this.#processes].map((slots) => slots.reseed()))
    }
  }

  found(): Found {
    const { ceiling } = this.#weather
    const spent = [...this.#arrivals, ...this.#doubtful].filter(
      (at) => at > this.#began + WINDOW_MS,
    )
    const windows = (performance.now() - this.#began) / WINDOW_MS - 1
    return {
      weather: this.#weather,
      arrivals: this.#arrivals.length,
      most: mostIn(WINDOW_MS, this.#arrivals),
      used: spent.length / (ceiling * windows),
      violations: this.#violations,
    }
  }

  #launch(): CreationSlots {
    const slots = createCreationSlots(this.#queue.slots, {
      jobsPerHour: this.#weather.ceiling,
      creationMs: CREATION_MS,
      sendWithinMs: SEND_WITHIN_MS,
      firstPollMs: 3_600_000,
      windowMs: WINDOW_MS,
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
    while (!isOver()) {
      await slots.sweep(PROJECT)
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
    await delay(chances.between(0, answerMs / 2))
    if (arrives) this.#arrived(id)
    else this.#doubtful.push(performance.now())
    if (isKilled) {
      die()
      // A dead process settles nothing: another one ends what it had in hand.
      return new Promise<never>(() => {})
    }
    await delay(chances.between(0, answerMs / 2))
    if (chances.chance(unknown)) return { kind: "unknown", detail: "a timeout" }
    return { kind: "created", agentJobId: `agent of ${id}` }
  }

  #arrived(id: string): void {
    if (this.#seen.has(id)) this.#violations.push(`${id} was created twice`)
    this.#seen.add(id)
    this.#arrivals.push(performance.now())
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

export function report({ weather, arrivals, most, used }: Found): string {
  const share = (used * 100).toFixed(1)
  return `${weather.name}: ${arrivals} creations, ${most} of ${weather.ceiling} at most in a window, ${share}% used`
}
