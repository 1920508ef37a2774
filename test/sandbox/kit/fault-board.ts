import { seededRandom } from "./random.ts"

export interface FaultHandle {
  readonly id: string
  /** Number of requests it has affected. */
  readonly hits: number
  clear(): void
}

export interface PlannedFault<F> {
  readonly id: string
  readonly fault: F
  readonly hits: number
}

/** Faults of one request: the sum of its delays, and at most one other fault. */
export interface Trouble<F> {
  readonly delayBeforeMs: number
  readonly delayAfterMs: number
  readonly fault: F | undefined
}

interface AnyFault {
  readonly times?: number | undefined
  readonly probability?: number | undefined
  readonly seed?: number | undefined
}

export interface FaultKinds<Input, F extends AnyFault, Target> {
  parse(input: Input): F
  isMeantFor(fault: F, target: Target): boolean
  /** Returns the delay of the response; undefined for a fault that isn't a delay. */
  delayOf(fault: F): { ms: number; when: "before" | "after" } | undefined
  onChange(): void
}

interface BoardedFault<F> {
  readonly id: string
  readonly fault: F
  readonly random: () => number
  hits: number
}

/** Active faults, oldest first. If several apply to a request, the oldest wins. */
export class FaultBoard<Input, F extends AnyFault, Target> {
  readonly #entries = new Map<string, BoardedFault<F>>()
  readonly #kinds: FaultKinds<Input, F, Target>
  #count = 0

  constructor(kinds: FaultKinds<Input, F, Target>) {
    this.#kinds = kinds
  }

  add(input: Input): FaultHandle {
    const fault = this.#kinds.parse(input)
    this.#count += 1
    const id = `fault-${this.#count}`
    const random = seededRandom(fault.seed ?? this.#count)
    const entry: BoardedFault<F> = { id, fault, random, hits: 0 }
    this.#entries.set(id, entry)
    this.#kinds.onChange()
    return {
      id,
      get hits() {
        return entry.hits
      },
      clear: () => {
        this.clear(id)
      },
    }
  }

  clear(id: string): boolean {
    const known = this.#entries.delete(id)
    if (known) this.#kinds.onChange()
    return known
  }

  clearAll(): void {
    this.#entries.clear()
    this.#kinds.onChange()
  }

  list(): PlannedFault<F>[] {
    return [...this.#entries.values()].map(({ id, fault, hits }) => ({ id, fault, hits }))
  }

  /** Draws the faults of a request and counts their hits. */
  troubleFor(target: Target): Trouble<F> {
    const trouble = { delayBeforeMs: 0, delayAfterMs: 0, fault: undefined as F | undefined }
    for (const entry of this.#entries.values()) {
      const { fault } = entry
      const delay = this.#kinds.delayOf(fault)
      if (!delay && trouble.fault) continue
      if (!this.#kinds.isMeantFor(fault, target)) continue
      if (entry.random() >= (fault.probability ?? 1)) continue
      this.#hit(entry)
      if (!delay) trouble.fault = fault
      else if (delay.when === "before") trouble.delayBeforeMs += delay.ms
      else trouble.delayAfterMs += delay.ms
    }
    return trouble
  }

  #hit(entry: BoardedFault<F>): void {
    entry.hits += 1
    if (entry.fault.times !== undefined && entry.hits >= entry.fault.times) this.clear(entry.id)
  }
}
