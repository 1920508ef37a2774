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

/** Creates a board of active faults, oldest first. If several apply to a request, the oldest wins. */
export function createFaultBoard<F extends Aim, Target>(
  isMeantFor: (fault: F, target: Target) => boolean,
) {
  const entries = new Set<{ fault: F; random: () => number; hits: number }>()
  let count = 0
  return {
    add(fault: F): FaultHandle {
      count += 1
      const entry = { fault, random: seededRandom(fault.seed ?? count), hits: 0 }
      entries.add(entry)
      return {
        get hits() {
          return entry.hits
        },
        clear: () => void entries.delete(entry),
      }
    },
    /** Draws the fault of a request, of those that `among` names, and counts the hit. */
    strike(target: Target, among: (fault: F) => boolean = () => true): F | undefined {
      for (const entry of entries) {
        const { fault, random } = entry
        if (!among(fault) || !isMeantFor(fault, target)) continue
        if (random() >= (fault.probability ?? 1)) continue
        entry.hits += 1
        if (entry.hits === fault.times) entries.delete(entry)
        return fault
      }
      return undefined
    },
  }
}
