import { seededRandom } from "./random.ts"

export interface FaultHandle {
  /** Number of requests it has affected. */
  readonly hits: number
  clear(): void
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
  readonly #entries = new Set<{ fault: F; random: () => number; hits: number }>()
  readonly #isMeantFor: (fault: F, target: Target) => boolean
  #count = 0

  constructor(isMeantFor: (fault: F, target: Target) => boolean) {
    this.#isMeantFor = isMeantFor
  }

  add(fault: F): FaultHandle {
    this.#count += 1
    const entry = { fault, random: seededRandom(fault.seed ?? this.#count), hits: 0 }
    this.#entries.add(entry)
    return {
      get hits() {
        return entry.hits
      },
      clear: () => void this.#entries.delete(entry),
    }
  }

  /** Draws the fault of a request, of those that `among` names, and counts the hit. */
  strike(target: Target, among: (fault: F) => boolean = () => true): F | undefined {
    for (const entry of this.#entries) {
      const { fault, random } = entry
      if (!among(fault) || !this.#isMeantFor(fault, target)) continue
      if (random() >= (fault.probability ?? 1)) continue
      entry.hits += 1
      if (entry.hits === fault.times) this.#entries.delete(entry)
      return fault
    }
    return undefined
  }
}
