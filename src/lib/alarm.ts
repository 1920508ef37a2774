/** Wait in ms that only another ring of the alarm ends. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY
/** Maximum delay that a Node timer accepts; a longer one fires after 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Wakes one loop early. Callers may set it for now or later, even while the loop is not waiting;
 * the earliest time wins. Uses the monotonic clock.
 */
export class Alarm {
  /** Time of the next ring in ms, by `performance.now()`. */
  #dueAt = UNTIL_WOKEN
  #wake = () => {}

  ring(inMs = 0): void {
    const at = performance.now() + inMs
    if (at >= this.#dueAt) return
    this.#dueAt = at
    this.#wake()
  }

  silence(): void {
    this.#dueAt = UNTIL_WOKEN
  }

  async sleep(): Promise<void> {
    while (this.#dueAt > performance.now()) {
      const leftMs = Math.ceil(this.#dueAt - performance.now())
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, MAX_TIMER_MS))
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}
