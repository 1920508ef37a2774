export interface WindowState {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  /** Epoch ms at which the next place comes free; undefined while one is free. */
  readonly freeAt: number | undefined
}

/** The uses of one project in the last `windowMs`: a use counts until it is exactly that old. */
export class RollingWindow {
  readonly #windowMs: number
  #uses: number[] = []

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  add(now: number, uses = 1): void {
    this.#uses.push(...Array.from({ length: uses }, () => now))
  }

  /** `limit` comes with the question, so that it can be changed while the service runs. */
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

/** One window per project, made when first asked for. */
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
