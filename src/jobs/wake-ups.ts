/** The worker's loops that sleep until something is due. */
export const sleepingLoops = [
  "announce",
  "poll",
  "pulls",
  "previews",
  "sessions",
  "exports",
  "posts",
  "dispatch",
  "refresh",
  "notices",
  "keys",
] as const

export type SleepingLoop = (typeof sleepingLoops)[number]

export type Ring = (loop: SleepingLoop, inMs: number, queue?: string) => void

/** Tells when the loops have something to do. */
export interface WakeUps {
  /**
   * @param ring called for each loop that is due in so many ms; it may turn out to have nothing to
   * do. With a queue where it is due for that one alone.
   */
  listen(ring: Ring): void
  /**
   * One look at everything that the loops wait for, in case a message was missed. @returns until the
   * next look, ms
   */
  look(): Promise<number>
  close(): void
}
