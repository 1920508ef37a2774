/** Infinite wait, which only the alarm ends. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY
/** Maximum delay that a Node timer accepts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Wakes one loop early. Callers may set it for now or later, even while the loop is not waiting; the
 * earliest time wins. Uses the monotonic clock.
 */
export class Alarm {
  /** By `performance.now()`. */
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
        const timer = setTimeout(wake, Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS))
        signal.addEventListener("abort", wake)
        this.#onSooner = wake
      })
      this.#onSooner = undefined
    }
  }
}
