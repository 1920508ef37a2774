/** Wait in ms that only a ring of the alarm ends. */
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
  #onSooner: (() => void) | undefined

  ring(inMs = 0): void {
    const at = performance.now() + inMs
    if (at >= this.#dueAt) return
    this.#dueAt = at
    this.#onSooner?.()
  }

  silence(): void {
    this.#dueAt = UNTIL_WOKEN
  }

  async sleep(restMs: number, signal: AbortSignal): Promise<void> {
    this.ring(restMs)
    while (!signal.aborted) {
      const leftMs = this.#dueAt - performance.now()
      if (leftMs <= 0) return
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer)
          signal.removeEventListener("abort", wake)
          resolve()
        }
        const timer = setTimeout(wake, Math.min(Math.ceil(leftMs), MAX_TIMER_MS))
        signal.addEventListener("abort", wake)
        this.#onSooner = wake
      })
      this.#onSooner = undefined
    }
  }
}
