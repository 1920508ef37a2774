import { beforeEach, expect, test } from "vitest"
import { SESSIONS } from "../../../src/config/timing.ts"
import type { Job } from "../../../src/jobs/job.ts"
import type { JobStore } from "../../../src/jobs/ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { createSessions } from "../../../src/redis/sessions/store.ts"
import type { SessionEntry, Sessions } from "../../../src/sessions/ports.ts"
import { useRedis } from "../../helpers/redis.ts"
import { queueing } from "../../helpers/waiting.ts"

const LEASE_MS = 30_000
const HOUR_MS = 3_600_000
/** The thread under the card that `queueing` gives each job. */
const THREAD = { channel: "C1", root: "1.1" }

const redis = useRedis()
const clock = { now: 0 }
const now = () => clock.now
let jobs: JobStore
let sessions: Sessions

beforeEach(() => {
  clock.now = Date.UTC(2026, 10, 20)
  jobs = createJobStore(redis(), { maxQueuedPerUser: 100, now })
  sessions = another()
})

/** As another process has it. */
const another = () => createSessions(redis(), { leaseMs: LEASE_MS, now })

/** Everything there is to write about jobs is written, as the outbox does it. */
async function written(): Promise<void> {
  const outbox = createOutbox(redis(), { leaseMs: LEASE_MS, onBroken() {}, now })
  for (const entry of await outbox.claim(20))
    await outbox.settle(entry, { sure: true, shown: entry.job })
}

async function aJob(user = "ada"): Promise<Job> {
  const [id = ""] = await queueing(redis(), now)(user)
  await written()
  const job = await jobs.get(id)
  if (!job) throw new Error("There is no such job")
  return job
}

async function ended(job: Job): Promise<void> {
  await jobs.endQueued(job, "cancelled")
  await written()
}

async function claimed(by = sessions): Promise<SessionEntry> {
  const entry = await by.claim()
  if (!entry) throw new Error("There is nothing to tell Slack")
  return entry
}

/** Slack is told, and takes it. */
async function told(by = sessions) {
  const entry = await claimed(by)
  await by.settle(entry, { shown: entry.wanted, taken: { hasStop: true } })
  return entry.wanted
}

const keys = async () => (await redis().keys("{da}:session*")).toSorted()

test("a session follows its job, and nothing of it is kept when it is over", async () => {
  const job = await aJob()
  expect(await claimed()).toMatchObject({ ...THREAD, wanted: "processing", first: job.id })
  clock.now += LEASE_MS + 1
  // Redis' own clock takes it away as well.
  await redis().del("{da}:surface-try")
  expect(await told()).toBe("processing")
  expect(await sessions.claim()).toBeUndefined()
  await ended(job)
  expect(await told()).toBe("active")
  expect(await keys()).toEqual([])
})

test("a job that is over before Slack was told is told as over, once", async () => {
  await ended(await aJob())
  expect(await told()).toBe("active")
  expect(await sessions.claim()).toBeUndefined()
})

test("two workers neither double nor lose: what one leased and never told, the other takes over", async () => {
  await aJob()
  const other = another()
  const first = await claimed()
  expect(await other.claim()).toBeUndefined()
  clock.now += LEASE_MS + 1
  await redis().del("{da}:surface-try")
  expect(await told(other)).toBe("processing")
  // The first wakes up again, and its word counts no more.
  await sessions.settle(first, { againMs: 0 })
  expect(await sessions.claim()).toBeUndefined()
})

test("what changes while Slack is being told is told next", async () => {
  const job = await aJob()
  const entry = await claimed()
  await ended(job)
  await sessions.settle(entry, { shown: entry.wanted, taken: { hasStop: true } })
  expect(await told()).toBe("active")
})

test("a thread with several jobs is processing until the last is done", async () => {
  const [first, second] = [await aJob("ada"), await aJob("ben")]
  expect(await told()).toBe("processing")
  expect((await sessions.jobsIn(THREAD)).toSorted()).toEqual([first.id, second.id].toSorted())
  await ended(first)
  expect(await sessions.claim()).toBeUndefined()
  expect(await sessions.jobsIn(THREAD)).toEqual([second.id])
  await ended(second)
  expect(await told()).toBe("active")
})

test("an ending that nobody told of is found by a later look", async () => {
  const job = await aJob()
  await told()
  // As a worker of the version before ends it, which knows of no sessions.
  await redis().hset(`{da}:job:${job.id}`, "state", "ended", "ending", "failed", "ended", clock.now)
  expect(await sessions.claim()).toBeUndefined()
  clock.now += SESSIONS.lookAgainMs + 1
  expect(await told()).toBe("active")
})

test("a long job is told again before Slack takes it for done, which it does after an hour", async () => {
  await aJob()
  await told()
  const tellings: number[] = []
  const began = clock.now
  while (clock.now - began < 3 * HOUR_MS) {
    clock.now += 60_000
    if (await sessions.claim().then((entry) => entry && settled(entry)))
      tellings.push(clock.now - began)
  }
  const gaps = tellings.map((at, i) => at - (tellings[i - 1] ?? 0))
  expect(gaps.length).toBeGreaterThan(2)
  expect(Math.max(...gaps)).toBeLessThan(HOUR_MS)
  expect(Math.min(...gaps)).toBeGreaterThan(HOUR_MS / 2)
})

async function settled(entry: SessionEntry): Promise<boolean> {
  await sessions.settle(entry, { shown: entry.wanted, taken: { hasStop: true } })
  return true
}

test("until Slack took something, one process at a time tries", async () => {
  await aJob()
  const [id = ""] = await queueing(redis(), now)("ben")
  await redis().hset(`{da}:job:${id}`, "card", "2.2")
  await written()
  const entry = await claimed()
  expect(await another().claim()).toBeUndefined()
  expect(await another().mayTry()).toBe(false)
  await sessions.settle(entry, { shown: entry.wanted, taken: { hasStop: true } })
  expect(await another().claim()).toBeDefined()
})

test("refused, nothing is given out for a day, and what was shown as working is put right after it", async () => {
  const job = await aJob()
  await told()
  expect(await sessions.refused("not_authorized")).toBe(true)
  expect(await another().refused("not_authorized")).toBe(false)
  await ended(job)
  await aJob("ben")
  for (let hour = 0; hour < 23; hour += 1) {
    expect(await another().claim()).toBeUndefined()
    clock.now += HOUR_MS
  }
  expect(await sessions.surfaceState()).toMatchObject({ state: "off", code: "not_authorized" })
  expect(await sessions.mayTry()).toBe(false)
  // A day later, by Redis' own clock.
  await redis().del("{da}:surface")
  clock.now += HOUR_MS
  expect(await told()).toBe("active")
})

test("what is asked for while it is off is not remembered", async () => {
  await sessions.refused("not_authorized")
  const job = await aJob()
  await ended(job)
  expect(await keys()).toEqual([])
  expect(await sessions.claim()).toBeUndefined()
})

test("a record changed by hand is passed over, and others are not held up by it", async () => {
  const job = await aJob()
  await redis().set("{da}:session:C1:1.1", "by hand")
  await redis().zadd("{da}:sessions", 0, "C9:9.9")
  expect(await sessions.claim()).toBeUndefined()
  expect(await sessions.jobsIn(THREAD)).toEqual([])
  await sessions.showAgain(THREAD)
  expect(await told()).toBe("active")
  expect(job.state).toBe("queued")
})
