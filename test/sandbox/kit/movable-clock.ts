export class MovableClock {
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Advances the clock. It never goes back, so no stored time is in the future. */
  moveOn(ms: number): void {
    this.#aheadMs += Math.max(0, ms)
  }
}
