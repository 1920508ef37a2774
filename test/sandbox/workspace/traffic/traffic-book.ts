import type { Json } from "../../slack/json.ts"
import type { TrafficEntry } from "../wire.ts"

/** What is remembered of one thing that went over the wire. */
export interface Sighting extends Omit<TrafficEntry, "id"> {
  readonly payload: Json
}

/** The last `limit` things that went over a wire, oldest first. */
export class TrafficBook {
  readonly #limit: number
  readonly #sightings = new Map<number, Sighting>()
  #last = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(sighting: Sighting): TrafficEntry {
    this.#last += 1
    this.#sightings.set(this.#last, sighting)
    const [oldest] = this.#sightings.keys()
    if (this.#sightings.size > this.#limit && oldest !== undefined) this.#sightings.delete(oldest)
    return entryOf(this.#last, sighting)
  }

  entries(): TrafficEntry[] {
    return [...this.#sightings].map(([id, sighting]) => entryOf(id, sighting))
  }

  /** Undefined when it was never seen, or too long ago. */
  payload(id: number): Json | undefined {
    return this.#sightings.get(id)?.payload
  }
}

function entryOf(id: number, sighting: Sighting): TrafficEntry {
  const { payload: _, ...facts } = sighting
  return { id, ...facts }
}
