import { POLLING } from "../config/timing.ts"

export interface PollPolicy {
  minMs: number
  maxMs: number
  /** After this a job that is still active is reported as lost track of, ms. */
  timeoutMs: number
}

/**
 * Until the next poll of a job of this age, ms. The first waits double, so that a job that ends at
 * once is noticed at once and the polls of all others are few. From then on waits grow slowly:
 * growing by a larger share of the age spends most polls on a job's first minute, where few jobs
 * end, and is late for those of usual length. For the same number of polls this is late by a smaller
 * share of the job's length than any fixed interval.
 */
export function nextWait(ageMs: number, { minMs, maxMs }: PollPolicy, random: number): number {
  const { jitter, shareOfAge } = POLLING
  const steady = POLLING.steady * minMs + shareOfAge * ageMs
  const wait = Math.min(Math.max(Math.min(ageMs, steady), minMs), maxMs)
  return wait * (1 - jitter + 2 * jitter * random)
}
