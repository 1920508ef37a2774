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

/** Number of requests that a fault affects, all by default, and its chance for each. */
export interface Aim {
  readonly times?: number | undefined
  readonly probability?: number | undefined
  /** Seed that makes `probability` repeatable. */
  readonly seed?: number | undefined
}

/** Active faults, oldest first. If several apply to a request, the oldest wins. */
export class FaultBoard<F extends Aim, Target> {
  readonly #entries = new Map<string, { fault: F; random: () => number; hits: number }>()
  readonly #isMeantFor: (fault: F, target: Target) => boolean
  readonly #onChange: () => void
  #count = 0

  constructor(isMeantFor: (fault: F, target: Target) => boolean, onChange = () => {}) {
    this.#isMeantFor = isMeantFor
    this.#onChange = onChange
  }

  add(fault: F): FaultHandle {
    this.#count += 1
    const id = `fault-${this.#count}`
    const entry = { fault, random: seededRandom(fault.seed ?? this.#count), hits: 0 }
    this.#entries.set(id, entry)
    this.#onChange()
    return {
      id,
      get hits() {
        return entry.hits
      },
      clear: () => this.clear(id),
    }
  }

  clear(id: string): void {
    this.#entries.delete(id)
    this.#onChange()
  }

  clearAll(): void {
    this.#entries.clear()
    this.#onChange()
  }

  list(): PlannedFault<F>[] {
    return [...this.#entries].map(([id, { fault, hits }]) => ({ id, fault, hits }))
  }

  /** Draws the fault of a request, of those that `among` names, and counts the hit. */
  strike(target: Target, among: (fault: F) => boolean = () => true): F | undefined {
    for (const [id, entry] of this.#entries) {
      const { fault, random } = entry
      if (!among(fault) || !this.#isMeantFor(fault, target)) continue
      if (random() >= (fault.probability ?? 1)) continue
      entry.hits += 1
      if (entry.hits === fault.times) this.clear(id)
      return fault
    }
    return undefined
  }
}
