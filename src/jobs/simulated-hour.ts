import TinyQueue from "tinyqueue"
import type { QueueFacts } from "./queue-ports.ts"

/** Near the ceiling only people with fewer creations in the hour than this are served. */
export const LIGHT_USER_CREATIONS = 5

/** The creations of the rolling hour as time goes on, counted by person. */
export class SimulatedHour {
  readonly #windowMs: number
  readonly #creations: TinyQueue<QueueFacts["log"][number]>
  readonly #spent = new Map<string, number>()

  constructor(log: QueueFacts["log"], windowMs: number) {
    this.#windowMs = windowMs
    this.#creations = new TinyQueue([...log], (a, b) => a.at - b.at)
    for (const { user } of log) this.#count(user, 1)
  }

  get size(): number {
    return this.#creations.length
  }

  isLight(user: string): boolean {
    return (this.#spent.get(user) ?? 0) < LIGHT_USER_CREATIONS
  }

  enter(at: number, user: string): void {
    this.#creations.push({ at, user })
    this.#count(user, 1)
  }

  /** Drops creations that are no longer within the hour. @returns whose they were */
  leave(clock: number): string[] {
    const gone: string[] = []
    while (this.nextLeaves() <= clock) {
      const { user } = this.#creations.pop() ?? { user: "" }
      this.#count(user, -1)
      gone.push(user)
    }
    return gone
  }

  /** When the oldest creation leaves the hour, ms. */
  nextLeaves(): number {
    return (this.#creations.peek()?.at ?? Number.POSITIVE_INFINITY) + this.#windowMs
  }

  #count(user: string, more: number): void {
    this.#spent.set(user, (this.#spent.get(user) ?? 0) + more)
  }
}

/** Those who wait, in order: the first of all, or the first whose person asked little in the hour. */
export class SimulatedQueue {
  readonly #jobs: QueueFacts["waiting"]
  readonly #hour: SimulatedHour
  readonly #started: boolean[]
  /** Positions of each person's jobs, the last first. */
  readonly #ofUser = new Map<string, number[]>()
  /** The next positions of people who asked little; may hold some that no longer count. */
  readonly #light = new TinyQueue<number>()
  #next = 0

  constructor(jobs: QueueFacts["waiting"], hour: SimulatedHour) {
    this.#jobs = jobs
    this.#hour = hour
    this.#started = jobs.map(() => false)
    for (const [at, { user }] of [...jobs.entries()].reverse()) {
      const own = this.#ofUser.get(user)
      if (own) own.push(at)
      else this.#ofUser.set(user, [at])
    }
    for (const user of this.#ofUser.keys()) this.reconsider(user)
  }

  /** To be called when a person's creations of the hour became more or fewer. */
  reconsider(user: string): void {
    const own = this.#ofUser.get(user)
    while (own && this.#started[own.at(-1) ?? -1]) own.pop()
    const at = own?.at(-1)
    if (at !== undefined && this.#hour.isLight(user)) this.#light.push(at)
  }

  takeFirst() {
    while (this.#started[this.#next]) this.#next += 1
    return this.#take(this.#next)
  }

  takeFirstLight() {
    for (let at = this.#light.pop(); at !== undefined; at = this.#light.pop()) {
      const isLight = this.#hour.isLight(this.#jobs[at]?.user ?? "")
      if (isLight && !this.#started[at]) return this.#take(at)
    }
    return undefined
  }

  #take(at: number) {
    this.#started[at] = true
    return this.#jobs[at]
  }
}
