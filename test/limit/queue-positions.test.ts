import { expect, test } from "vitest"
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
const HOUR_MIN = WINDOW_MS / 60_000
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
const waiting = (count: number) => Array.from({ length: count }, (_, n) => `job${n}`)
const of = (id: string, turnOf = "a") => ({ id, turnOf })
/** Creations that leave the hour in so many minutes. */
const spent = (...minutes: number[]) => minutes.map((left) => 9 * HOUR + left * 60_000)

const outage = { reason: "outage" as const, until: 10 * HOUR + 60_000 }

test.each<[what: string, queue: Partial<QueueFacts>, minutes: number[]]>([
  [
    "what fits starts now, the rest when the oldest creation leaves the hour",
    { slots: spent(10, 40), waiting: waiting(3) },
    [0, 10, 40],
  ],
  ["a pause moves everything behind its end", { waiting: waiting(1), pause: outage }, [1]],
  [
    "where the queue alone spends the hour, a ceiling's worth starts each hour",
    { waiting: waiting(7) },
    [0, 0, 0, HOUR_MIN, HOUR_MIN, HOUR_MIN, 2 * HOUR_MIN],
  ],
])("start times: %s", (_, queue, minutes) => {
  const starts = expectedStarts(facts(queue), 3)
  expect([...starts.values()].map((at) => (at - 10 * HOUR) / 60_000)).toEqual(minutes)
})

test("where most of the hour is reserved, five of a person still start in each", () => {
  const rules = { ...limits, jobsPerHour: 9, reservedSlots: 8 }
  const queue = facts({
    slots: spent(10, 20, 30, 40, 50),
    heavyUsers: ["busy"],
    waiting: waiting(2),
  })
  const startsAt = 10 * HOUR + 20 * 60_000
  expect(placesOf(queue, rules)(of("job1", "busy"))).toMatchObject({ startsAt })
})

test("a start so far away that its time alone would mislead says so", () => {
  const at = (startsAt: number) => startWords({ place: 2, startsAt, paused: "" }, 0)
  expect(at(12 * 3_600_000)).not.toContain("date_short_pretty")
  expect(at(12 * 3_600_000 + 1)).toContain("date_short_pretty")
})

const shown: QueuePlace = { place: 20, startsAt: 1_000_000, paused: "" }
const paused: QueuePlace = { ...shown, paused: "outage" }
const endless: QueuePlace = { place: 2, paused: "key_refused" }
test.each<[what: string, before: QueuePlace, change: Partial<QueuePlace>, matters: boolean]>([
  ["a place far back", shown, { place: 19 }, false],
  ["a place in the first five", shown, { place: 5 }, true],
  ["a start four minutes later", shown, { startsAt: 1_240_000 }, false],
  ["a start six minutes later", shown, { startsAt: 1_360_000 }, true],
  ["a pause", shown, { paused: "outage" }, true],
  ["the next try two minutes later, far back", paused, { startsAt: 1_120_000 }, false],
  ["the next try six minutes later", paused, { startsAt: 1_360_000 }, true],
  ["two minutes for the next in line", { ...paused, place: 1 }, { startsAt: 1_120_000 }, true],
  ["a pause that nobody knows the end of, shown once", endless, {}, false],
])("LIM-4: a card is edited only when it matters: %s", (_, before, change, matters) => {
  expect(hasMoved(before, { ...before, ...change })).toBe(matters)
})

test("a start is told behind the end of a pause, and not in a pause without one", () => {
  const placeIn = (pause: QueueFacts["pause"]) =>
    placesOf(facts({ waiting: waiting(1), pause }), limits)(of("job0"))
  expect(placeIn({ reason: "key_refused" })).toEqual({ place: 1, paused: "key_refused" })
  const told = { place: 1, startsAt: outage.until, paused: "outage" }
  expect(placeIn(outage)).toEqual(told)
})

test("the quota says what is reserved to a person who has asked much, and to no other", () => {
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

test.each<[what: string, earlier: number[], delayMs: number]>([
  ["comes at once for a first request", [], 0],
  ["comes at once for requests that are seconds apart", [90_000, 94_000, 98_000], 0],
  ["waits behind each of a person's other requests of this moment", [100_000, 100_000], 2000],
  ["waits no longer where a Redis with a slower clock took over", [3_700_000], 1000],
  ["waits for the rest of what came a little earlier", [98_500, 98_500, 98_500], 1500],
])("a card %s", (_, earlier, delayMs) => {
  expect(cardDelay(earlier, 100_000, 1000)).toBe(delayMs)
})
