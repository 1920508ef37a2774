import { afterEach, describe, expect, test, vi } from "vitest"
import { EPOCH, jobKeys, queueKeys } from "../../../src/jobs/job-keys.ts"
import type { AttemptOutcome } from "../../../src/jobs/send-round.ts"
import type { OutsideMemory } from "../../../src/limit/memory-outside-redis.ts"
import { RoundStarter } from "../../../src/limit/start-rounds.ts"
import { gate } from "../../helpers/gate.ts"
import { useRedis } from "../../helpers/redis.ts"
import { snapshot } from "../../helpers/redis-dump.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { CREATED, openMemory, openQueue, PROJECT } from "../../helpers/waiting.ts"

// After a crash, Redis or its replica may lack the last second or all; the living make up for it.

/** Ceiling of three creations in three seconds, in place of an hour. */
const CEILING = 3
const WINDOW_MS = 3000
const CREATION_MS = 20_000
/** Time in ms for which a grant may be used. */
const GRANT_MS = 5000
/** Time in ms in which a Redis that may have lost data grants nothing. */
const COLD_MS = 700
const HOUR_MS = 3_600_000

const redis = useRedis()
const { log } = queueKeys(PROJECT)
afterEach(() => void vi.useRealTimers())

/** Opens the slots of another process. @param ways what its machine remembers, and Redis's clock */
function aProcess(ways: { memory?: OutsideMemory; coldMs?: number; now?: () => number } = {}) {
  const { memory, coldMs = 0, now } = ways
  const limits = { jobsPerHour: CEILING, arrivesWithinMs: CREATION_MS, windowMs: WINDOW_MS }
  const { slots } = openQueue(redis(), { ...limits, coldMs }, now)
  return new RoundStarter(slots, { memory, sendWithinMs: GRANT_MS, spacingMs: 0 })
}

const ask = (n = 1) => openQueue(redis()).ask("U1", n)
const machine = async () => openMemory(await temporaryFolder())
const jobOf = (id = "") => redis().hgetall(jobKeys.record(id))

/** Opens a service that takes everything, and records which job came when. */
function service() {
  const sent: { id: string; at: number }[] = []
  const create = async ({ job }: { job: { id: string } }): Promise<AttemptOutcome> => {
    sent.push({ id: job.id, at: performance.now() })
    return CREATED
  }
  return { sent, create }
}

type Docs = ReturnType<typeof service>

/** Starts everything that can start now. Resolves to the wait in ms until more can. */
async function drain(slots: RoundStarter, { create }: Docs = service()) {
  for (let ran = 0; ; ran += 1) {
    const result = await slots.next(PROJECT, create)
    if (result !== "ran") return { ran, waitMs: result.waitMs }
  }
}

const setClock = (offMs: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + offMs })

describe("LIM-15: a Redis that lost everything", () => {
  test.each([
    ["the process that started it, whose clock is an hour fast", HOUR_MS, "itself"],
    ["the process that started it, whose clock is an hour slow", -HOUR_MS, "itself"],
    ["the next one of its machine", 0, "the next"],
  ])("hears what was started, with its true age, from %s", async (_, offMs, by) => {
    setClock(offMs)
    const memory = await machine()
    const first = aProcess({ memory })
    await ask(CEILING)
    await drain(first)
    await redis().flushall()
    await ask()

    await (by === "itself" ? first : aProcess({ memory })).reseed()

    const { ran, waitMs } = await drain(aProcess())
    expect(ran).toBe(0)
    expect(waitMs).toBeGreaterThan(WINDOW_MS - 1500)
    expect(waitMs).toBeLessThanOrEqual(WINDOW_MS + (by === "itself" ? 0 : CREATION_MS))
  })

  test("hears nothing of what the service refused", async () => {
    const memory = await machine()
    const first = aProcess({ memory })
    await first.reseedIfLost()
    await ask(2 * CEILING)
    const refuse = async () => ({ kind: "refused", detail: "HTTP 400" }) as const
    for (let n = 0; n < CEILING; n += 1) expect(await first.next(PROJECT, refuse)).toBe("ran")
    const next = aProcess({ memory })
    await next.reseedIfLost()
    expect((await drain(next)).ran).toBe(CEILING)
  })
})

describe("a creation that Redis forgot", () => {
  const FOLLOWED = { state: "active", agentJobId: "agent-job" }
  const UNKNOWN: AttemptOutcome = { kind: "unknown", detail: "a timeout" }

  test.each([
    ["is followed, if it was answered", "queued", true, CREATED, FOLLOWED],
    ["is followed, if Redis forgot the answer alone", "creating", true, CREATED, FOLLOWED],
    ["is followed, though another reports it first", "queued", false, CREATED, FOLLOWED],
    ["is told as unknown, if that came of it", "queued", true, UNKNOWN, { state: "ended" }],
  ] as const)("%s, not started again", async (_, known, isFirst, outcome, after) => {
    const memory = await machine()
    const first = aProcess({ memory })
    const [id] = await ask()
    let forget = await snapshot(redis())
    await first.next(PROJECT, async () => {
      if (known === "creating") forget = await snapshot(redis())
      return outcome
    })
    await forget()
    expect((await jobOf(id)).state).toBe(known)

    for (const reporter of isFirst ? [first] : [aProcess({ memory }), first]) {
      await reporter.reseed()
      await reporter.sweep(PROJECT)
    }

    const { create, sent } = service()
    expect(await aProcess().next(PROJECT, create)).toEqual({ waitMs: Number.POSITIVE_INFINITY })
    expect(sent).toEqual([])
    const found = await jobOf(id)
    expect(found).toMatchObject(after)
    expect(found.rounds?.includes('"ending":"unknown"')).toBe(outcome === UNKNOWN)
    expect(await redis().zcard(log)).toBe(1)
  })

  test("while it was in flight is followed, and keeps its slot until it can have arrived", async () => {
    const { create, sent } = service()
    const first = aProcess()
    const [id] = await ask()
    const forget = await snapshot(redis())
    const [arrived, answer] = [gate(), gate()]
    const running = first.next(PROJECT, async (grant) => {
      arrived.open()
      await answer.opened
      return create(grant)
    })
    await arrived.opened
    await forget()

    await first.reseed()

    expect(await aProcess().next(PROJECT, create)).toEqual({ waitMs: Number.POSITIVE_INFINITY })
    const [seconds = 0] = await redis().time()
    const [, score] = await redis().zrange(log, "0", "0", "WITHSCORES")
    expect(Number(score)).toBeGreaterThan(Number(seconds) * 1000 + CREATION_MS / 2)
    answer.open()
    await running
    expect(sent).toMatchObject([{ id }])
    expect((await jobOf(id)).state).toBe("active")
  })

  test("but that was put back and waits is left alone", async () => {
    const { create, sent } = service()
    const first = aProcess()
    const [id] = await ask()
    await first.next(PROJECT, async () => ({ kind: "put_back" }))

    await first.reseed()

    expect(await aProcess().next(PROJECT, create)).toBe("ran")
    expect(sent).toMatchObject([{ id }])
  })
})

test("a Redis that was started again grants nothing before the living had time to report", async () => {
  const slots = aProcess({ coldMs: COLD_MS })
  await ask(2)
  for (const _ of ["empty", "with its data"]) {
    const { ran, waitMs } = await drain(slots)
    expect(ran).toBe(0)
    expect(waitMs).toBeGreaterThan(COLD_MS / 2)
    expect(waitMs).toBeLessThanOrEqual(COLD_MS)
    await expect.poll(() => slots.next(PROJECT, service().create)).toBe("ran")
    // Redis has another id at each start.
    await redis().set(EPOCH, "1 0123456789abcdef")
  }
})

/** Lets each process report and start what it can. Resolves to how many started so far. */
async function countAll(docs: Docs, ...all: RoundStarter[]) {
  for (const slots of all) {
    await slots.reseedIfLost()
    await drain(slots, docs)
  }
  return docs.sent.length
}

test.each([HOUR_MS, -HOUR_MS])("clock %s ms off: what others spent comes back", async (offMs) => {
  setClock(offMs)
  await ask(CEILING - 1)
  await drain(aProcess())
  const [second, docs] = [aProcess(), service()]
  await ask(CEILING)
  const count = () => countAll(docs, second)
  expect(await count()).toBe(1)
  // Its own slot, which is back then too, would bring one more only after another such hour.
  await expect.poll(count, { timeout: WINDOW_MS + 2000 }).toBe(CEILING)
})

describe("while Redis's clock is set", () => {
  /** Starts as much as the hour allows by two processes, for which more waits. */
  async function twoProcesses() {
    const step = { ms: 0 }
    const now = () => Date.now() + step.ms
    const all = [1, 2].map(() => aProcess({ coldMs: COLD_MS, now }))
    await openQueue(redis(), {}, now).ask("U1", 3 * CEILING)
    const docs = service()
    const count = () => countAll(docs, ...all)
    await expect.poll(count).toBe(CEILING)
    return { step, all, docs, count }
  }

  test("forward, processes report what they created first", async () => {
    const { step, all, docs, count } = await twoProcesses()
    step.ms = HOUR_MS
    for (const slots of all) await drain(slots, docs)
    const end = performance.now() + COLD_MS + 100
    while (performance.now() < end) expect(await count()).toBe(CEILING)
  })

  test("back, a queue waits for the rest of the hour, not for the difference", async () => {
    const { step, docs, count } = await twoProcesses()
    step.ms = -HOUR_MS
    await expect.poll(count).toBe(2 * CEILING)
    const [first, , , next] = docs.sent
    expect((next?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(WINDOW_MS)
  })
})

test("a process that slept on its grant does not use it: the job waits again, no slot is spent", async () => {
  setClock(0)
  // Goes on later than it asked Redis for the grant.
  const now = () => Number(vi.setSystemTime(Date.now() + GRANT_MS + 1).getMockedSystemTime())
  const [id] = await ask()
  const { create, sent } = service()

  await aProcess({ now }).next(PROJECT, create)
  expect(sent).toEqual([])
  expect(await redis().zcard(log)).toBe(0)
  await aProcess().next(PROJECT, create)
  expect(sent).toMatchObject([{ id }])
})
