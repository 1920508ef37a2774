export interface WindowState {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Time in epoch ms when the next request is possible; undefined if one is possible now. */
  readonly freeAt: number | undefined
}

/** One project's uses in the last `windowMs`; a use counts until it is exactly that old. */
export class RollingWindow {
  readonly #windowMs: number
  #uses: number[] = []

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  add(now: number, uses = 1): void {
    this.#uses.push(...Array.from({ length: uses }, () => now))
  }

  /** Returns the state at `now`. `limit` is a parameter because it can change at any time. */
  state(now: number, limit: number): WindowState {
    this.#uses = this.#uses.filter((at) => at > now - this.#windowMs)
    const used = this.#uses.length
    const remaining = Math.max(0, limit - used)
    const leaving = remaining > 0 ? undefined : this.#uses.toSorted((a, b) => a - b)[used - limit]
    return {
      limit,
      used,
      remaining,
      freeAt: leaving === undefined ? undefined : leaving + this.#windowMs,
    }
  }
}

/** One window per project, created on first use. */
export class RollingWindows {
  readonly #windowMs: number
  readonly #windows = new Map<string, RollingWindow>()

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  of(projectId: string): RollingWindow {
    const known = this.#windows.get(projectId)
    if (known) return known
    const window = new RollingWindow(this.#windowMs)
    this.#windows.set(projectId, window)
    return window
  }
}
