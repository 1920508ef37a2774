import { describe, expect, test } from "vitest"
import { settings } from "../../../src/config/settings.ts"
import { followedAt, followedByUs, followedWith, jobLengths } from "../../helpers/simulated-jobs.ts"

const SEED = 20_261_121
const lengths = jobLengths(SEED, 10_000)
const follow = (minMs: number, maxMs: number) =>
  followedByUs(lengths, { minMs, maxMs, giveUpAfterMs: Number.POSITIVE_INFINITY }, SEED)

describe("following ten thousand jobs of a median of four minutes, as configured by default", () => {
  const { POLL_MIN_MS, POLL_MAX_MS } = settings.shape
  const ours = follow(POLL_MIN_MS.parse(undefined), POLL_MAX_MS.parse(undefined))
  const every15s = followedAt(15_000, lengths)

  test("a notice is late by under 6% of its job's length", () => {
    expect(ours.delayShare).toBeLessThan(0.06)
  })

  test("fewer polls are spent than by a look every 15 s, and none is later for it", () => {
    expect(ours.polls).toBeLessThan(every15s.polls)
    expect(ours.delayShare).toBeLessThan(every15s.delayShare)
  })
})

test.each([
  [1, 10],
  [2, 20],
  [5, 30],
  [5, 60],
  [5, 600],
  [10, 60],
  [15, 120],
  [30, 120],
])("from %i s to %i s a notice is no later than with as many polls evenly", (min, max) => {
  const ours = follow(min * 1000, max * 1000)
  expect(ours.delayShare).toBeLessThanOrEqual(followedWith(ours.polls, lengths).delayShare)
})
