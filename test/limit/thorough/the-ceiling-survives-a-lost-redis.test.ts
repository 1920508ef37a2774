import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { queueKeys } from "../../../src/jobs/job-keys.ts"
import type { CreationOutcome } from "../../../src/jobs/send-round.ts"
import type { OutsideMemory } from "../../../src/limit/memory-outside-redis.ts"
import { CreationSlots } from "../../../src/limit/start-creations.ts"
import { currentTime } from "../../../src/store/script.ts"
import { gate } from "../../helpers/gate.ts"
import { useRedis } from "../../helpers/redis.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { accepted, openMemory, openQueue, PROJECT } from "../../helpers/waiting.ts"

/** Ceiling of three creations in three seconds, in place of an hour. */
const CEILING = 3
const WINDOW_MS = 3000
const CREATION_MS = 1000
const LIMITS = { jobsPerHour: CEILING, creationDeadlineMs: CREATION_MS, windowMs: WINDOW_MS }
const TIMES = { sendWithinMs: CREATION_MS / 4, spacingMs: 0 }

const redis = useRedis()

afterEach(() => void vi.useRealTimers())

/** Opens the slots of another process. @param onGrant runs before the process learns of a grant */
function aProcess(onGrant = () => {}, memory?: OutsideMemory) {
  const { slots: store } = openQueue(redis(), LIMITS)
  const reserve = store.reserve.bind(store)
  store.reserve = async (...args) => {
    const grant = await reserve(...args)
    onGrant()
    return grant
  }
  return new CreationSlots(store, { ...TIMES, memory })
}

/** Starts everything that can start now. Resolves to the wait in ms until more can. */
async function drain(slots: CreationSlots, create: () => Promise<CreationOutcome> = accepted) {
  for (let ran = 0; ; ran += 1) {
    const result = await slots.next(PROJECT, create)
    if (result !== "ran") return { ran, waitMs: result.waitMs }
  }
}

const HOUR_MS = 3_600_000

describe.each([
  ["an hour fast", HOUR_MS],
  ["an hour slow", -HOUR_MS],
])("a process whose clock is set %s", (_, offMs) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offMs })
  })

  test("reports its creations to a Redis that lost them with their true age", async () => {
    const first = aProcess()
    await openQueue(redis()).ask("U1", CEILING)
    await drain(first)
    await redis().flushall()
    await openQueue(redis()).ask("U1", 1)

    await first.reseed()

    const { ran, waitMs } = await drain(aProcess())
    expect(ran).toBe(0)
    expect(waitMs).toBeGreaterThan(WINDOW_MS - 1500)
    expect(waitMs).toBeLessThanOrEqual(WINDOW_MS)
  })

  test("gives back what others spent before it started when their hour has passed", async () => {
    await openQueue(redis()).ask("U1", CEILING - 1)
    await drain(aProcess())
    const second = aProcess()
    await openQueue(redis()).ask("U1", CEILING)
    expect((await drain(second)).ran).toBe(1)
    let ran = 0
    await vi.waitFor(
      async () => {
        ran += (await drain(second)).ran
        expect(ran).toBeGreaterThanOrEqual(CEILING - 1)
      },
      { timeout: WINDOW_MS + 2000, interval: 100 },
    )
  })
})

/** Opens the slots of two processes, and jobs for them, on a Redis whose clock can be set. */
async function twoProcesses() {
  const step = { ms: 0 }
  const now = () => Date.now() + step.ms
  const processes = [1, 2].map(
    () => new CreationSlots(openQueue(redis(), { ...LIMITS, coldMs: 500 }, now).slots, TIMES),
  )
  await openQueue(redis(), {}, now).ask("U1", 3 * CEILING)
  const created: number[] = []
  const create = () => {
    created.push(performance.now())
    return accepted()
  }
  const drainAll = async () => {
    for (const slots of processes) {
      await slots.reseedIfLost()
      await drain(slots, create)
    }
  }
  const until = (count: number) =>
    vi.waitUntil(
      async () => {
        await drainAll()
        return created.length === count
      },
      { timeout: WINDOW_MS + 3000 },
    )
  return { step, processes, created, create, drainAll, until }
}

test("processes whose Redis has its clock set forward report what they created first", async () => {
  const { step, processes, created, create, drainAll, until } = await twoProcesses()
  await until(CEILING)
  step.ms = HOUR_MS
  for (const slots of processes) await drain(slots, create)
  const waited = performance.now() + 600
  while (performance.now() < waited) await drainAll()
  expect(created).toHaveLength(CEILING)
})

test("a queue whose Redis has its clock set back waits for the rest of the hour, not for the difference", async () => {
  const { step, created, until } = await twoProcesses()
  await until(CEILING)
  step.ms = -HOUR_MS
  await until(2 * CEILING)
  const [first = 0, , , next = 0] = created
  expect(next - first).toBeGreaterThan(WINDOW_MS)
})

test("a worker that starts again takes no slot for creations that the service refused", async () => {
  const memory = openMemory(await temporaryFolder())
  const first = aProcess(undefined, memory)
  await first.reseedIfLost()
  await openQueue(redis()).ask("U1", 2 * CEILING)
  let refused = 0
  const refuse = async (): Promise<CreationOutcome> => {
    refused += 1
    return refused <= CEILING ? { kind: "refused", detail: "HTTP 400" } : accepted()
  }
  for (let n = 0; n < CEILING; n += 1) await first.next(PROJECT, refuse)
  expect(refused).toBe(CEILING)
  const next = aProcess(undefined, memory)
  await next.reseedIfLost()
  expect((await drain(next)).ran).toBe(CEILING)
})

test("workers that end while Redis loses everything leave what they started to the next of their machine", async () => {
  const memory = openMemory(await temporaryFolder())
  await openQueue(redis()).ask("U1", CEILING)
  await drain(aProcess(undefined, memory))
  await redis().flushall()
  await openQueue(redis()).ask("U1", 1)
  const next = aProcess(undefined, memory)
  await next.reseedIfLost()
  const { ran, waitMs } = await drain(next)
  expect(ran).toBe(0)
  expect(waitMs).toBeLessThanOrEqual(WINDOW_MS + CREATION_MS)
})

test("a creation in flight when Redis lost its data keeps its slot until it can have arrived", async () => {
  const slots = aProcess()
  await openQueue(redis()).ask("U1", 1)
  const [sent, answer] = [gate(), gate()]
  const running = slots.next(PROJECT, async () => {
    sent.open()
    await answer.opened
    return accepted()
  })
  await sent.opened
  await redis().flushall()

  await slots.reseed()

  const now = await currentTime({ redis: redis() })
  const [, score] = await redis().zrange(queueKeys(PROJECT).log, "0", "0", "WITHSCORES")
  expect(Number(score)).toBeGreaterThan(now + CREATION_MS / 2)
  answer.open()
  await running
})

test("a process that slept on its grant does not use it: the job waits again, no slot is spent", async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  let sleepMs = CREATION_MS
  const slots = aProcess(() => vi.setSystemTime(Date.now() + sleepMs))
  const [id] = await openQueue(redis()).ask("U1")
  const sent: string[] = []
  const create = async ({ job }: { job: { id: string } }) => {
    sent.push(job.id)
    return accepted()
  }

  await slots.next(PROJECT, create)
  expect(sent).toEqual([])
  expect(await redis().zcard(queueKeys(PROJECT).log)).toBe(0)

  sleepMs = 0
  await slots.next(PROJECT, create)
  expect(sent).toEqual([id])
})
