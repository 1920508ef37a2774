export class MovableClock {
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  get aheadMs(): number {
    return this.#aheadMs
  }

  /** Never back: nothing in the test bed has been in the future. */
  moveOn(ms: number): void {
    this.#aheadMs += Math.max(0, ms)
  }
}
