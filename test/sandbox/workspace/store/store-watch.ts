import type { RedisClient } from "../../../../src/redis/script.ts"
import { type Coalesced, coalesce } from "../coalesce.ts"
import type { JobTrail } from "../wire.ts"
import { readTraces } from "./read-traces.ts"
import { Trails } from "./trails.ts"

/** Traffic comes in bursts; one reading after each burst shows as much. ms */
const REST_MS = 40

export interface StoreParts {
  readonly redis: RedisClient
  readonly projects: readonly string[]
  readonly now: () => number
}

/** Reads the bot's store whenever something happened, and tells what changed for each request. */
export class StoreWatch {
  readonly #trails = new Trails()
  readonly #reading: Coalesced
  #busy = false

  constructor({ redis, projects, now }: StoreParts, onChange: (trail: JobTrail) => void) {
    this.#reading = coalesce(REST_MS, () => {
      // A reading under way misses what happens now, so the next one is only put off.
      if (this.#busy) return this.look()
      this.#busy = true
      readTraces(redis, projects)
        .then((reading) => this.#trails.take(reading, now()).forEach(onChange))
        // A store that is away shows in the bot's own log; the next look may find it again.
        .catch(() => {})
        .finally(() => {
          this.#busy = false
        })
    })
  }

  /** Something happened: have a look soon. */
  look(): void {
    this.#reading.request()
  }

  trails(): JobTrail[] {
    return this.#trails.all()
  }

  close(): void {
    this.#reading.stop()
  }
}
