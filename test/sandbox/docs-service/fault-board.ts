import {
  type Fault,
  type FaultTarget,
  faultSchema,
  isMeantFor,
  type ParsedFault,
} from "./faults.ts"
import { seededRandom } from "./seeded.ts"

export interface FaultHandle {
  readonly id: string
  /** How many requests it has hit. */
  readonly hits: number
  clear(): void
}

export interface ActiveFault {
  readonly id: string
  readonly fault: ParsedFault
  readonly hits: number
}

/** What is wrong with one request: delays, as many as there are, and at most one other fault. */
export interface Trouble {
  readonly delayBeforeMs: number
  readonly delayAfterMs: number
  readonly fault: ParsedFault | undefined
}

interface BoardedFault {
  readonly id: string
  readonly fault: ParsedFault
  readonly random: () => number
  hits: number
}

/** The faults in force, oldest first. Of several that hit one request the oldest wins. */
export class FaultBoard {
  readonly #entries = new Map<string, BoardedFault>()
  readonly #onChange: () => void
  #count = 0

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** @throws ZodError when the fault is not one of the known shapes. */
  add(input: Fault): FaultHandle {
    const fault = faultSchema.parse(input)
    this.#count += 1
    const id = `fault-${this.#count}`
    const entry: BoardedFault = {
      id,
      fault,
      random: seededRandom(fault.seed ?? this.#count),
      hits: 0,
    }
    this.#entries.set(id, entry)
    this.#onChange()
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

  /** @returns false when there was no such fault. */
  clear(id: string): boolean {
    const known = this.#entries.delete(id)
    if (known) this.#onChange()
    return known
  }

  clearAll(): void {
    this.#entries.clear()
    this.#onChange()
  }

  list(): ActiveFault[] {
    return [...this.#entries.values()].map(({ id, fault, hits }) => ({ id, fault, hits }))
  }

  /** Draws what hits this request and counts it. */
  troubleFor(target: FaultTarget): Trouble {
    const trouble = {
      delayBeforeMs: 0,
      delayAfterMs: 0,
      fault: undefined as ParsedFault | undefined,
    }
    for (const entry of this.#entries.values()) {
      const { fault } = entry
      if (fault.type !== "delay" && trouble.fault) continue
      if (!isMeantFor(fault, target) || entry.random() >= (fault.probability ?? 1)) continue
      this.#hit(entry)
      if (fault.type !== "delay") trouble.fault = fault
      else if (fault.when === "before") trouble.delayBeforeMs += fault.ms
      else trouble.delayAfterMs += fault.ms
    }
    return trouble
  }

  #hit(entry: BoardedFault): void {
    entry.hits += 1
    if (entry.fault.times !== undefined && entry.hits >= entry.fault.times) this.clear(entry.id)
  }
}
