import { settings } from "../../src/config/settings.ts"
import {
  type Following,
  followedAt,
  followedByUs,
  followedWith,
  jobLengths,
} from "../helpers/simulated-jobs.ts"
import type { Bench, Row } from "./kit/bench.ts"
import { alone, compare, median, type Pair } from "./kit/rounds.ts"

const JOBS = 20_000
const SEED = 20_261_121
/** POLL_MIN_MS and POLL_MAX_MS, in seconds, besides the defaults. */
const BOUNDS = [
  [1, 10],
  [2, 20],
  [5, 30],
  [10, 60],
  [15, 120],
  [30, 120],
] as const
const FIXED = [5, 15, 30, 60] as const
const MIN_S = settings.shape.POLL_MIN_MS.parse(undefined) / 1000
const MAX_S = settings.shape.POLL_MAX_MS.parse(undefined) / 1000

/** In simulated time: what it says depends on the policy alone, not on the machine. */
export const detect: Bench = {
  title: "how late the end of a job is noticed, and for how many polls, against fixed intervals",
  needsRedis: false,

  async run({ rounds, share }) {
    const samples = Array.from({ length: rounds }, (_, round) => {
      const seed = SEED + round
      return { seed, lengths: jobLengths(seed, JOBS * share) }
    })
    const follow = (min: number, max: number) =>
      samples.map(({ seed, lengths }) => {
        const policy = { minMs: min * 1000, maxMs: max * 1000, timeoutMs: Number.MAX_VALUE }
        const ours = followedByUs(lengths, policy, seed)
        return { ours, alike: followedWith(ours.polls, lengths), lengths }
      })
    const byDefault = follow(MIN_S, MAX_S)
    const delay = median(byDefault.map(({ ours }) => percent(ours)))
    return {
      rows: [
        alone("delay", "delay, of the job's length", "%", delay, { atMost: 6 }),
        ...FIXED.flatMap((interval) => againstFixed(interval, byDefault)),
        curvePoint(MIN_S, MAX_S, byDefault),
        ...BOUNDS.map(([min, max]) => curvePoint(min, max, follow(min, max))),
        inSeconds(byDefault),
      ],
      notes: [
        `${JOBS * share} jobs a round in simulated time, seeds from ${SEED}; lengths are log-normal with a median of 4 minutes, and one in twenty is over 20.`,
        `Ours waits ${MIN_S} to ${MAX_S} s unless a row says otherwise. A delay is the mean of every job's delay as a share of its length.`,
        "In seconds, not even a policy that knows how long jobs take could beat an even interval by 6%.",
      ],
    }
  },
}

type Followed = { ours: Following; alike: Following; lengths: readonly number[] }

function againstFixed(interval: number, followed: readonly Followed[]): Row[] {
  const pairs = followed.map(({ ours, lengths }): Pair => {
    const fixed = followedAt(interval * 1000, lengths)
    return { reference: figures(fixed), ours: figures(ours) }
  })
  const goal = interval === 15 ? { atMost: 1 } : undefined
  return [
    compare(pairs, "polls", `polls per job, fixed ${interval} s`, "", goal),
    compare(pairs, "delay", `delay, fixed ${interval} s`, "%", goal),
  ].map((row) => ({ ...row, key: `${row.key}${interval}` }))
}

/** One point of our curve, over the point of the fixed curve with as many polls. */
function curvePoint(min: number, max: number, followed: readonly Followed[]): Row {
  const polls = median(followed.map(({ ours }) => ours.polls))
  const what = `delay with ${polls.toFixed(0)} polls (${min} to ${max} s)`
  const row = compare(alike(followed), "delay", what, "%", { atMost: 1 })
  return { ...row, key: `curve${min}-${max}` }
}

function inSeconds(followed: readonly Followed[]): Row {
  return compare(alike(followed), "seconds", "delay in seconds, as many polls", "s")
}

function alike(followed: readonly Followed[]): Pair[] {
  return followed.map(({ ours, alike }) => ({ reference: figures(alike), ours: figures(ours) }))
}

function figures(following: Following) {
  return {
    polls: following.polls,
    delay: percent(following),
    seconds: following.delayMs / 1000,
  }
}

function percent({ delayShare }: Following): number {
  return delayShare * 100
}
