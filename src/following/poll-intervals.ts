import type { Context } from "../jobs/context.ts"

export type PollPolicy = Context["settings"]["polling"]

/** Interval of a young job, as a multiple of the configured minimum. */
const STEADY = 2
/** Fraction of a job's age by which intervals grow: for a long job, a late reply matters less. */
const SHARE_OF_AGE = 0.03
/** Share by which intervals vary at random, so that jobs that began together spread out. */
const JITTER = 0.1

/**
 * Returns the ms until the next poll of a job of this age. The first polls are `minMs` apart, so
 * that the bot soon notices a job that ends at once; then the waits double and grow slowly, because
 * few jobs end in the first minute. The same number of polls at a fixed interval would notice a
 * typical end later.
 */
export function nextWait(ageMs: number, { minMs, maxMs }: PollPolicy, random: number): number {
  const steady = STEADY * minMs + SHARE_OF_AGE * ageMs
  const wait = Math.min(Math.max(Math.min(ageMs, steady), minMs), maxMs)
  return wait * (1 - JITTER + 2 * JITTER * random)
}

/**
 * Returns the ms until the next poll after one that the service did not answer: about the longest
 * interval, or what it asked for. @param retryAfterMs its Retry-After
 */
export function waitAfterFailure({ maxMs }: PollPolicy, random: number, retryAfterMs = 0): number {
  return Math.max(retryAfterMs, maxMs * (0.75 + random / 2))
}
