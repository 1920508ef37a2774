import { describe, expect, test } from "vitest"
import { cardDelay } from "../../src/asking/store-request.ts"
import type { QueuePlace } from "../../src/jobs/job.ts"
import { WINDOW_MS } from "../../src/lib/time.ts"
import {
  expectedStarts,
  hasMoved,
  placesOf,
  type QueueFacts,
  quotaOf,
} from "../../src/limit/queue-positions.ts"
import { startWords } from "../../src/messages/queue-words.ts"

const HOUR = WINDOW_MS
const limits = { jobsPerHour: 3, reservedSlots: 0 }

function facts(more: Partial<QueueFacts> = {}): QueueFacts {
  return {
    now: 10 * HOUR,
    slots: [],
    heavyUsers: [],
    waiting: [],
    pause: undefined,
    month: undefined,
    ...more,
  }
}
const waiting = (...users: string[]) => users.map((_, n) => `job${n}`)
const of = (id: string, turnOf = "a") => ({ id, turnOf })
/** Creations that leave the hour in so many minutes. */
const spent = (...minutes: number[]) => minutes.map((left) => 9 * HOUR + left * 60_000)

describe("start times", () => {
  test("what fits starts now, the rest when the oldest creation leaves the hour", () => {
    const starts = expectedStarts(
      facts({ slots: spent(10, 40), waiting: waiting("a", "a", "a") }),
      3,
    )
    const minutes = [...starts.values()].map((at) => (at - 10 * HOUR) / 60_000)
    expect(minutes).toEqual([0, 10, 40])
  })

  test("a pause moves everything behind its end", () => {
    const pause = { reason: "outage" as const, until: 10 * HOUR + 60_000 }
    const starts = expectedStarts(facts({ waiting: waiting("a"), pause }), 3)
    expect(starts.get("job0")).toBe(10 * HOUR + 60_000)
  })

  test("when nobody spends the hour but the queue itself, a ceiling's worth starts each hour", () => {
    const starts = expectedStarts(facts({ waiting: waiting(...Array.from("abcdefg")) }), 3)
    const hours = [...starts.values()].map((at) => (at - 10 * HOUR) / HOUR)
    expect(hours).toEqual([0, 0, 0, 1, 1, 1, 2])
  })
})

test("where most of the hour is reserved, five of a person still start in each", () => {
  const rules = { ...limits, jobsPerHour: 9, reservedSlots: 8 }
  const queue = facts({
    slots: spent(10, 20, 30, 40, 50),
    heavyUsers: ["busy"],
    waiting: waiting("busy", "busy"),
  })
  const startsAt = 10 * HOUR + 20 * 60_000
  expect(placesOf(queue, rules)(of("job1", "busy"))).toMatchObject({ startsAt })
})

test("a start so far away that its time alone would mislead says so", () => {
  const at = (startsAt: number) => startWords({ place: 2, startsAt, paused: "" }, 0)
  expect(at(12 * 3_600_000)).not.toContain("date_short_pretty")
  expect(at(12 * 3_600_000 + 1)).toContain("date_short_pretty")
})

describe("LIM-4: a card is edited only when it matters", () => {
  const shown = { place: 20, startsAt: 1_000_000, paused: "" } as const
  test.each<[string, Partial<QueuePlace>, boolean]>([
    ["a place far back", { place: 19 }, false],
    ["a place in the first five", { place: 5 }, true],
    ["a start four minutes later", { startsAt: 1_240_000 }, false],
    ["a start six minutes later", { startsAt: 1_360_000 }, true],
    ["a pause", { paused: "outage" }, true],
  ])("%s", (_, change, matters) => {
    expect(hasMoved(shown, { ...shown, ...change })).toBe(matters)
  })

  const paused = { place: 20, paused: "outage", startsAt: 1_000_000 } as const
  test.each<[string, Partial<QueuePlace>, boolean]>([
    ["the next try two minutes later, far back", { startsAt: 1_120_000 }, false],
    ["the next try six minutes later", { startsAt: 1_360_000 }, true],
    [
      "the next try two minutes later, for the next in line",
      { place: 1, startsAt: 1_120_000 },
      true,
    ],
  ])("while paused: %s", (_, change, matters) => {
    const before = "place" in change ? { ...paused, place: 1 } : paused
    expect(hasMoved(before, { ...paused, ...change })).toBe(matters)
  })

  test("a pause that nobody knows the end of is shown once", () => {
    const endless = { place: 2, paused: "key_refused" } as const
    expect(hasMoved(endless, endless)).toBe(false)
  })
})

test("a start is told behind the end of a pause, and not in a pause without one", () => {
  const placeIn = (pause: QueueFacts["pause"]) =>
    placesOf(facts({ waiting: waiting("a"), pause }), limits)(of("job0"))
  expect(placeIn({ reason: "key_refused" })).toEqual({ place: 1, paused: "key_refused" })
  const until = 10 * HOUR + 60_000
  const told = { place: 1, startsAt: until, paused: "outage" }
  expect(placeIn({ reason: "outage", until })).toEqual(told)
})

describe("the quota", () => {
  test("says what is reserved to a person who has asked much, and to no other", () => {
    const rules = { ...limits, jobsPerHour: 6, reservedSlots: 1 }
    const queue = facts({ slots: spent(10, 20, 30, 40, 50), heavyUsers: ["busy"] })
    expect(quotaOf(queue, rules, "busy", 0)).toMatchObject({
      reservedBelow: 5,
      startsAt: 10 * HOUR + 10 * 60_000,
    })
    expect(quotaOf(queue, rules, "light", 0)).toEqual({
      used: 5,
      ceiling: 6,
      waiting: 0,
    })
  })
})

describe("a card", () => {
  test.each<[what: string, earlier: number[], delayMs: number]>([
    ["comes at once for a first request", [], 0],
    ["comes at once for requests that are seconds apart", [90_000, 94_000, 98_000], 0],
    ["waits behind each of a person's other requests of this moment", [100_000, 100_000], 2000],
    ["waits no longer where a Redis with a slower clock took over", [3_700_000], 1000],
    ["waits for the rest of what came a little earlier", [98_500, 98_500, 98_500], 1500],
  ])("%s", (_, earlier, delayMs) => {
    expect(cardDelay(earlier, 100_000, 1000)).toBe(delayMs)
  })
})
