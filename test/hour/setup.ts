import type { Redis } from "ioredis"
import { WINDOW_MS } from "../../src/config/timing.ts"
import { createJobStore } from "../../src/redis/jobs/store.ts"
import { createProjectNames, type ReadProjectNames } from "../../src/redis/projects/names.ts"
import { createSlotStore } from "../../src/redis/queue/slots.ts"
import { createQueueStore } from "../../src/redis/queue/store.ts"
import { COLD_MS, CREATION_MS, PROJECT } from "./times.ts"
import type { World } from "./world.ts"

/** A process of before goes on for so long after a change, with what it has in hand, ms. */
const ROLLING_MS = 120_000
const IN_HAND_MS = 120_000

/** What an operator sets, with which each process starts. */
export interface Setup {
  /** What the project is called; it is the same one at the service. */
  name: string
  ceiling: number
  key: string
}

/** As a process reads them that calls the project so; it is the same project under each name. */
export function namesFor(redis: Redis, name: string): ReadProjectNames {
  const projects = [{ name, id: PROJECT }]
  return createProjectNames(redis, { baseUrl: "https://docs.example", projects })
}

/** A process' stores, as its settings make them. */
export function openStores(
  redis: Redis,
  setup: Setup,
  names: ReadProjectNames,
  { reserved, now }: { reserved: number; now: () => number },
) {
  const limits = { jobsPerHour: setup.ceiling, reservedSlots: reserved, windowMs: WINDOW_MS }
  const times = { creationMs: CREATION_MS, coldMs: COLD_MS }
  const keyFingerprint = () => setup.key
  return {
    limits,
    jobs: createJobStore(redis, { maxQueuedPerUser: 1_000_000, names, now }),
    slots: createSlotStore(redis, { ...limits, ...times, names, keyFingerprint, now }),
    queue: createQueueStore(redis, { windowMs: WINDOW_MS, names, now }),
  }
}

/** The project is renamed, its key replaced, its ceiling raised and lowered; processes restart in turn. */
export function reconfigureNowAndThen(world: World): void {
  const { dice, timeline, weather } = world
  if (weather.reconfigureEveryMs === undefined) return
  let count = 0
  const again = () =>
    timeline.after((weather.reconfigureEveryMs ?? 0) * dice.between(0.2, 1.8), change)
  const change = () => {
    count += 1
    const changes: readonly [Partial<Setup>, ...Partial<Setup>[]] = [
      { name: `guides-${count}` },
      { name: PROJECT },
      { key: `key ${count}` },
      { ceiling: dice.pick([20, 50, 80, weather.ceiling]) },
      { name: `guides-${count}`, key: `key ${count}`, ceiling: dice.pick([50, weather.ceiling]) },
    ]
    world.reconfigure({ ...world.setup, ...dice.pick(changes) })
    for (const process of world.processes)
      timeline.after(dice.between(0, ROLLING_MS), () => {
        if (!world.processes.includes(process)) return
        process.retire()
        world.startProcess()
      })
    again()
  }
  again()
}

/** The highest ceiling that any process may have had at any moment of a span. */
export class Ceilings {
  readonly #all: { from: number; until: number; ceiling: number }[] = []

  set(ceiling: number, at: number): void {
    const last = this.#all.at(-1)
    if (last) last.until = at + ROLLING_MS + IN_HAND_MS
    this.#all.push({ from: at, until: Number.POSITIVE_INFINITY, ceiling })
  }

  highest(from: number, until: number): number {
    const of = this.#all.filter((one) => one.from <= until && one.until >= from)
    return Math.max(...of.map(({ ceiling }) => ceiling))
  }

  /** The ceiling that was set, on average over a span. */
  average(from: number, until: number): number {
    const spans = this.#all.map(({ from: at, ceiling }, i) => {
      const end = Math.min(this.#all[i + 1]?.from ?? until, until)
      return Math.max(0, end - Math.max(at, from)) * ceiling
    })
    return spans.reduce((sum, of) => sum + of, 0) / (until - from)
  }
}
