export class MovableClock {
  #aheadMs: number

  /** @param aheadMs how far it is ahead of the machine's at first; a test's may be behind it */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs
  }

  readonly now = (): number => Date.now() + this.#aheadMs

  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Advances the clock. It never goes back, so no stored time is in the future. */
  moveOn(ms: number): void {
    this.#aheadMs += Math.max(0, ms)
  }

  /** Sets the clock back, as a machine's may be, whatever times are stored. */
  setBack(ms: number): void {
    this.#aheadMs -= ms
  }
}
