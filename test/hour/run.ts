import { setTimeout as delay } from "node:timers/promises"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import type { AttemptOutcome } from "../../src/jobs/send-round.ts"
import { RoundStarter } from "../../src/limit/start-rounds.ts"
import { type Dice, dice } from "../helpers/dice.ts"
import { gate } from "../helpers/gate.ts"
import { mostIn } from "../helpers/most-in.ts"
import type { RedisServer } from "../helpers/redis-server.ts"
import { openQueue, PROJECT } from "../helpers/waiting.ts"

/** Length of the "hour" in ms: the real limiter and clock, only with a shorter window. */
const WINDOW_MS = 2000
/** Time in ms from a grant to the last time at which its creation can arrive. */
const CREATION_MS = 300
const SEND_WITHIN_MS = 100
const COLD_MS = 200
const PROCESSES = 3
/** Interval in ms at which a process looks for jobs that others left unsettled. */
const SWEEP_MS = 50

export interface Weather {
  readonly name: string
  readonly ceiling: number
  /** Maximum response time of the service, in ms. */
  readonly answerMs: number
  /** Probabilities per creation: its process dies, its outcome is unknown, it has no effect. */
  readonly kill?: number
  readonly unknown?: number
  readonly refused?: number
  /** Probability of a delay between the grant and the request. */
  readonly heldUp?: number
  /** Average time in ms between two losses of all data in Redis; absent: never. */
  readonly forgetEveryMs?: number
  readonly windowMs?: number
}

/**
 * Conditions in which 98% of the ceiling must be used. Beyond its window, a slot is used from its
 * grant to the response, which a machine that does nothing else keeps under 300 ms.
 */
export const SATURATED: Weather = {
  name: "saturated",
  ceiling: 20,
  answerMs: 10,
  windowMs: 20_000,
}

export const WEATHERS: readonly Weather[] = [
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

/** Runs several processes' limiters against one Redis, with requests always waiting. */
export async function runHour(
  { client: redis }: RedisServer,
  weather: Weather,
  { seconds, seed }: { seconds: number; seed: number },
) {
  await redis.flushall()
  const { ceiling, windowMs = WINDOW_MS, forgetEveryMs } = weather
  const queue = openQueue(redis, {
    firstPollMs: 3_600_000,
    jobsPerHour: ceiling,
    windowMs,
    arrivesWithinMs: CREATION_MS,
    coldMs: COLD_MS,
    pauses: { firstMs: 20, outageFirstMs: 20, longestMs: 100 },
  })
  const chances = dice(seed)
  const service = startService(weather, chances)
  const processes = new Set<RoundStarter>()
  const began = performance.now()
  const isOver = () => performance.now() >= began + seconds * 1000

  /** Keeps requests waiting at all times. */
  async function keepAsking(): Promise<void> {
    while (!isOver()) {
      if ((await redis.zcard(queueKeys(PROJECT).wait)) < ceiling)
        await queue.ask(chances.pick(["U1", "U2", "U3"]), 20)
      await delay(20)
    }
  }

  async function forgetNowAndThen(): Promise<void> {
    while (forgetEveryMs !== undefined && !isOver()) {
      await delay(forgetEveryMs * chances.between(0.5, 1.5))
      await redis.flushdb()
      await Promise.all([...processes].map((slots) => slots.reseed()))
    }
  }

  /** Runs processes one after another: a new one replaces each that dies. */
  async function live(): Promise<void> {
    while (!isOver()) {
      const slots = new RoundStarter(queue.slots, { sendWithinMs: SEND_WITHIN_MS, spacingMs: 0 })
      processes.add(slots)
      await work(slots, service.create, isOver)
      processes.delete(slots)
    }
  }

  await Promise.all([keepAsking(), forgetNowAndThen(), ...Array.from({ length: PROCESSES }, live)])
  const { arrivals, violations } = service
  return {
    weather,
    arrivals: arrivals.length,
    seconds: (performance.now() - began) / 1000,
    /** Maximum number of arrivals at the service in any span of one window. */
    most: mostIn(windowMs, arrivals),
    used: shareOfUse([...arrivals, ...service.doubtful], { began, windowMs, ceiling }),
    violations,
  }
}

/** Resolves when the process dies or the run ends. */
async function work(
  slots: RoundStarter,
  create: (id: string, die: () => void) => Promise<AttemptOutcome>,
  isOver: () => boolean,
): Promise<void> {
  const death = gate()
  const dead = death.opened.then(() => "dead" as const)
  let sweepAt = 0
  while (!isOver()) {
    if (performance.now() >= sweepAt) {
      await slots.sweep(PROJECT)
      sweepAt = performance.now() + SWEEP_MS
    }
    const next = slots.next(PROJECT, ({ job }) => create(job.id, death.open))
    const result = await Promise.race([next, dead])
    if (result === "dead") return
    if (result !== "ran") await delay(Math.min(result.waitMs, 10))
  }
}

/** Starts a service in this weather, which counts what arrives. */
function startService(weather: Weather, chances: Dice) {
  const { answerMs, kill = 0, unknown = 0, refused = 0, heldUp = 0 } = weather
  /** Times in ms when creations arrived, and when a slot was used without one. */
  const [arrivals, doubtful]: [number[], number[]] = [[], []]
  const seen = new Set<string>()
  const violations: string[] = []

  function arrived(id: string): void {
    if (seen.has(id)) violations.push(`${id} was created twice`)
    seen.add(id)
    arrivals.push(performance.now())
  }

  async function create(id: string, die: () => void): Promise<AttemptOutcome> {
    if (chances.chance(heldUp)) await delay(chances.between(0, SEND_WITHIN_MS))
    if (chances.chance(refused)) return { kind: "put_back", reason: "rate_limited", pauseMs: 10 }
    const isKilled = chances.chance(kill)
    const arrives = !isKilled || chances.chance(0.5)
    await delay(chances.between(0, answerMs / 2))
    if (arrives) arrived(id)
    else doubtful.push(performance.now())
    if (isKilled) {
      die()
      // A dead process settles nothing; another process settles its jobs.
      return new Promise<never>(() => {})
    }
    await delay(chances.between(0, answerMs / 2))
    if (chances.chance(unknown)) return { kind: "unknown", detail: "a timeout" }
    return { kind: "created", agentJobId: `agent of ${id}` }
  }
  return { create, arrivals, doubtful, violations }
}

/** Returns the fraction of the ceiling in use, averaged over the time after the first window. */
function shareOfUse(
  slots: readonly number[],
  { began, windowMs, ceiling }: { began: number; windowMs: number; ceiling: number },
): number {
  const [from, end] = [began + windowMs, performance.now()]
  // Time in ms for which each slot counts.
  const counted = slots.map((at) => Math.max(0, Math.min(at + windowMs, end) - Math.max(at, from)))
  return counted.reduce((all, ms) => all + ms, 0) / (ceiling * (end - from))
}

type Found = Awaited<ReturnType<typeof runHour>>

export function report({ weather, arrivals, seconds, most, used }: Found): string {
  const share = (used * 100).toFixed(1)
  const pace = (arrivals / seconds).toFixed(0)
  return `${weather.name}: ${arrivals} creations, ${pace} a second, ${most} of ${weather.ceiling} at most in a window, ${share}% used`
}
