const HOUR_MS = 3_600_000

/** A request as the people outside see it. */
export interface Waiting {
  id: string
  user: string
  askedAt: number
  /** Did its person have nothing else waiting when it was asked? */
  single: boolean
  /** New starts of each other person since it was asked. */
  overtakenBy: Map<string, number>
  forecast: { place: number; startsAt?: number; startsSeen: number } | undefined
}

export interface Misjudged {
  /** Real start minus told start, ms. */
  startMs: number
  /** Real place minus told place. */
  places: number
}

/** Everything that happened, as an outside observer writes it down, and what must never be. */
export class Ledger {
  readonly waiting = new Map<string, Waiting>()
  /** When creations arrived at the service, ms. */
  readonly arrivals: number[] = []
  /** Slots that were spent without an arrival: their outcome is unknown, so they must count. */
  readonly doubtful: number[] = []
  readonly violations: string[] = []
  readonly misjudged: Misjudged[] = []
  /** Most starts of one other person that a single request had to let pass. */
  longestOvertaking = 0
  /** Requests that ended so or so. */
  readonly counts = { started: 0, createdTwice: 0, restarts: 0, forgotten: 0, reconfigured: 0 }
  readonly #arrivedJobs = new Set<string>()
  readonly #startedJobs = new Set<string>()

  asked(id: string, user: string, at: number): Waiting {
    const single = ![...this.waiting.values()].some((other) => other.user === user)
    const entry = {
      id,
      user,
      askedAt: at,
      single,
      overtakenBy: new Map<string, number>(),
      forecast: undefined,
    }
    this.waiting.set(id, entry)
    return entry
  }

  /** A job was granted. Those that were put back before do not count as new. */
  started(id: string, user: string, at: number): void {
    const own = this.waiting.get(id)
    this.waiting.delete(id)
    if (this.#startedJobs.has(id)) return
    this.#startedJobs.add(id)
    this.counts.started += 1
    if (own?.forecast?.startsAt !== undefined)
      this.misjudged.push({
        startMs: at - own.forecast.startsAt,
        places: this.counts.started - own.forecast.startsSeen - own.forecast.place,
      })
    for (const other of this.waiting.values()) {
      if (!other.single || other.user === user) continue
      const count = (other.overtakenBy.get(user) ?? 0) + 1
      other.overtakenBy.set(user, count)
      this.longestOvertaking = Math.max(this.longestOvertaking, count)
    }
  }

  arrived(id: string, at: number): void {
    if (this.#arrivedJobs.has(id)) {
      this.counts.createdTwice += 1
      this.violations.push(`job ${id} was created twice`)
    }
    this.#arrivedJobs.add(id)
    this.arrivals.push(at)
  }

  /** Most arrivals in any closed span of one hour. */
  mostInAnHour(): number {
    const times = this.arrivals.toSorted((a, b) => a - b)
    let most = 0
    let from = 0
    for (const [i, at] of times.entries()) {
      while (at - (times[from] ?? at) > HOUR_MS) from += 1
      most = Math.max(most, i - from + 1)
    }
    return most
  }

  /** An hour with more arrivals than any ceiling in it allowed, in words. */
  overfullHour(highest: (from: number, until: number) => number): string | undefined {
    const times = this.arrivals.toSorted((a, b) => a - b)
    let from = 0
    for (const [i, at] of times.entries()) {
      while (at - (times[from] ?? at) > HOUR_MS) from += 1
      const most = highest(at - HOUR_MS, at)
      if (i - from + 1 > most) return `${i - from + 1} creations in an hour of at most ${most}`
    }
    return undefined
  }

  /** Slots used in all whole hours but the first, as a share of what the ceiling allows. */
  used(ceiling: number, start: number, end: number): number {
    const hours = Math.floor((end - start) / HOUR_MS) - 1
    const from = start + HOUR_MS
    const to = from + hours * HOUR_MS
    const spent = [...this.arrivals, ...this.doubtful].filter((at) => at >= from && at < to)
    return spent.length / (ceiling * hours)
  }
}
