import { afterEach, expect, test, vi } from "vitest"
import { openDelivery } from "../helpers/delivering.ts"
import { useRedis } from "../helpers/redis.ts"

const redis = useRedis()
afterEach(() => void vi.useRealTimers())

test.each([
  ["before it is drawn", "labelOf"],
  ["while Slack is asked whether it has it", "find"],
])("FOL-17: no post is begun late in a lease, %s: it comes with the next one", async (_, where) => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const posted: string[] = []
  let heldUpMs = 20_000
  // Simulates a process that stalls for more than half of the lease.
  const stall = <Answer>(answer: Answer) => {
    vi.setSystemTime(Date.now() + heldUpMs)
    return answer
  }
  const post = async ({ channel }: { channel: string }) => {
    posted.push(channel)
    return { ts: "1.1", channel }
  }
  const slow =
    where === "find" ? { find: () => stall("absent") } : { labelOf: () => stall(undefined) }
  const { jobs, ask, pass } = openDelivery(redis(), post, slow)
  const id = await ask("U1")
  await jobs.change(id, () => ({ set: { posting: "card" } }))

  await pass()
  expect(posted).toEqual([])

  heldUpMs = 0
  await pass()
  expect(posted).toEqual(["C1"])
})

test("a card that fails is tried again soon, then every quarter of an hour, and is given up in hours", async () => {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const tried: number[] = []
  const post = async () => {
    tried.push(clock.now)
    throw new Error("a bug")
  }
  const events = { deliveryFailed() {} }
  const { jobs, ask, pass } = openDelivery(redis(), post, { events }, () => clock.now)
  const id = await ask("U1")
  while ((await jobs.find(id))?.job.state === "queued") clock.now += await pass()
  const waits = tried.slice(1).map((at, n) => (at - (tried[n] ?? 0)) / 60_000)
  expect(waits[0]).toBeLessThan(1)
  expect(Math.max(...waits)).toBeLessThanOrEqual(15)
  const minutes = waits.reduce((sum, wait) => sum + wait, 0)
  expect(minutes).toBeGreaterThan(60)
  expect(minutes).toBeLessThan(240)
})
