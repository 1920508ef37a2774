import { nextWait, type PollPolicy } from "../../src/jobs/observe.ts"
import { seededRandom } from "../sandbox/kit/random.ts"

/** Half of all jobs are shorter, ms. */
const MEDIAN_MS = 4 * 60_000
/** Spread of the logarithm of the length: one job in twenty takes 20 minutes, one in a hundred 40. */
const SIGMA = 1

export interface Following {
  polls: number
  /** From a job's end to its notice, ms. */
  delayMs: number
  /** The same as a part of the job's own length. */
  delayShare: number
}

/** Lengths of jobs, ms: log-normal, that is with a long tail. The same for the same seed. */
export function jobLengths(seed: number, count: number): number[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return MEDIAN_MS * Math.exp(SIGMA * normal)
  })
}

/** Our policy: the first poll after `minMs`, every further one when `nextWait` says. */
export function followedByUs(
  lengths: readonly number[],
  policy: PollPolicy,
  seed: number,
): Following {
  const random = seededRandom(seed)
  return followed(lengths, policy.minMs, (ageMs) => nextWait(ageMs, policy, random()))
}

/** A poll every so many ms. */
export function followedAt(intervalMs: number, lengths: readonly number[]): Following {
  return followed(lengths, intervalMs, () => intervalMs)
}

/** The fixed interval that spends as many polls per job, or a few more: halved down to it. */
export function followedWith(polls: number, lengths: readonly number[]): Following {
  let [short, long] = [100, 3_600_000]
  for (let step = 0; step < 24; step += 1) {
    const middle = Math.sqrt(short * long)
    if (followedAt(middle, lengths).polls > polls) short = middle
    else long = middle
  }
  return followedAt(short, lengths)
}

function followed(
  lengths: readonly number[],
  firstMs: number,
  wait: (ageMs: number) => number,
): Following {
  const sum = { polls: 0, delayMs: 0, delayShare: 0 }
  for (const length of lengths) {
    let age = firstMs
    let polls = 1
    while (age < length) {
      age += wait(age)
      polls += 1
    }
    sum.polls += polls
    sum.delayMs += age - length
    sum.delayShare += (age - length) / length
  }
  const { length: jobs } = lengths
  return {
    polls: sum.polls / jobs,
    delayMs: sum.delayMs / jobs,
    delayShare: sum.delayShare / jobs,
  }
}
