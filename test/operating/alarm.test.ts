import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { Alarm, runLoop, UNTIL_WOKEN } from "../../src/lib/loop.ts"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Starts a sleep. @returns a getter of its duration in ms, undefined until it ends */
function asleep(alarm: Alarm, restMs: number): () => number | undefined {
  const from = performance.now()
  let wokenAt: number | undefined
  alarm.ring(restMs)
  void alarm.sleep().then(() => {
    wokenAt = performance.now() - from
  })
  return () => wokenAt
}

test.each([
  ["at once", UNTIL_WOKEN, [0], 10],
  ["when it says", UNTIL_WOKEN, [30], 40],
  ["at the earliest of several moments, whichever was said first", 500, [50, 20, 200], 30],
])("a ring ends it %s", async (_, restMs, rings, wokenAt) => {
  const alarm = new Alarm()
  const woken = asleep(alarm, restMs)
  await vi.advanceTimersByTimeAsync(10)
  for (const inMs of rings) alarm.ring(inMs)
  await vi.advanceTimersByTimeAsync(1000)
  expect(woken()).toBe(wokenAt)
})

test("a ring while nobody sleeps is not lost, unless it is silenced", async () => {
  const alarm = new Alarm()
  alarm.ring()
  await vi.advanceTimersByTimeAsync(10)
  const woken = asleep(alarm, UNTIL_WOKEN)
  await vi.advanceTimersByTimeAsync(0)
  expect(woken()).toBe(0)

  alarm.ring()
  alarm.silence()
  const again = asleep(alarm, 5000)
  await vi.advanceTimersByTimeAsync(4999)
  expect(again()).toBeUndefined()
})

// No timer of Node's is as long as a month.
test.each([100, 30 * 86_400_000])("a rest of %i ms ends when it is over", async (restMs) => {
  const woken = asleep(new Alarm(), restMs)
  await vi.advanceTimersByTimeAsync(restMs - 1)
  expect(woken()).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(woken()).toBe(restMs)
})

test("a process that stops wakes a loop that rests, and one that would rest after its pass", async () => {
  const stopping = new AbortController()
  const rests = async () => UNTIL_WOKEN
  const stops = async () => {
    stopping.abort()
    return UNTIL_WOKEN
  }
  const options = { signal: stopping.signal, log: createLog("silent", []) }
  const ended = Promise.all([rests, stops].map((pass) => runLoop("loop", pass, options)))
  await vi.advanceTimersByTimeAsync(10)
  await expect(ended).resolves.toHaveLength(2)
})
