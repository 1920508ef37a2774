const HOUR_S = 3_600

export interface RateState {
  readonly limit: number
  readonly remaining: number
  readonly used: number
  /** Time of the reset, "In UTC epoch seconds". */
  readonly reset: number
}

/** Requests of one token in a fixed hour that begins with its first request. */
export class RateLimit {
  readonly #limit: { readonly perHour: number | null }
  readonly #now: () => number
  #used = 0
  #reset = 0

  constructor(limit: { readonly perHour: number | null }, now: () => number) {
    this.#limit = limit
    this.#now = now
  }

  /** Returns the current state; undefined if limits are disabled. */
  state(): RateState | undefined {
    const limit = this.#limit.perHour
    if (limit === null) return undefined
    const now = Math.floor(this.#now() / 1000)
    if (now >= this.#reset) {
      this.#used = 0
      this.#reset = now + HOUR_S
    }
    const remaining = Math.max(0, limit - this.#used)
    return { limit, remaining, used: Math.min(limit, this.#used), reset: this.#reset }
  }

  spend(): void {
    this.#used += 1
  }
}

/** Returns the headers "that are sent with each response"; none if limits are disabled. */
export function rateHeaders(state: RateState | undefined): Record<string, string> {
  if (!state) return {}
  return {
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-used": String(state.used),
    "x-ratelimit-reset": String(state.reset),
    "x-ratelimit-resource": "core",
  }
}
