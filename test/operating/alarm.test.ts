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

test("a ring ends it at once, or when it says", async () => {
  const [now, soon] = [new Alarm(), new Alarm()]
  const [wokenNow, wokenSoon] = [asleep(now, UNTIL_WOKEN), asleep(soon, UNTIL_WOKEN)]
  await vi.advanceTimersByTimeAsync(10)
  now.ring()
  soon.ring(30)
  await vi.advanceTimersByTimeAsync(1000)
  expect(wokenNow()).toBe(10)
  expect(wokenSoon()).toBe(40)
})

test("of several moments the earliest counts, whichever was said first", async () => {
  const alarm = new Alarm()
  const woken = asleep(alarm, 500)
  alarm.ring(50)
  alarm.ring(200)
  alarm.ring(20)
  await vi.advanceTimersByTimeAsync(1000)
  expect(woken()).toBe(20)
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
