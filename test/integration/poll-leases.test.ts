import { expect, test } from "vitest"
import { createJobStore } from "../../src/redis/job-store.ts"
import { createPollQueue } from "../../src/redis/poll-queue.ts"
import { createSlotStore } from "../../src/redis/slot-store.ts"
import { useRedis } from "../helpers/redis.ts"
import { PROJECT, queueing } from "../helpers/waiting.ts"

const LEASE_MS = 30_000
const POLL_MS = 1000

const redis = useRedis()

/** One job that the service works on, and two workers that would poll it. */
async function oneRunningJob() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const limits = { jobsPerHour: 99, reservedSlots: 0, creationMs: 20_000, coldMs: 0, now }
  const slots = createSlotStore(redis(), limits)
  const [id = ""] = await queueing(redis(), now)("ada", 1)
  const grant = await slots.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("not started")
  await slots.settle(grant, "token", { kind: "created", agentJobId: "agent" }, POLL_MS)
  clock.now += POLL_MS
  const worker = () => createPollQueue(redis(), { leaseMs: LEASE_MS, onBroken() {}, now })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 50, now })
  return { clock, id, first: worker(), second: worker(), job: () => jobs.get(id) }
}

async function claimed(queue: ReturnType<typeof createPollQueue>) {
  const { lease, jobs } = await queue.claim(10)
  const [job] = jobs
  if (!job) throw new Error("nothing was due")
  return { lease, job }
}

test("a job is polled by one worker at a time, and by another when the first one died", async () => {
  const { clock, id, first, second } = await oneRunningJob()
  expect((await first.claim(10)).jobs.map((job) => job.id)).toEqual([id])
  expect((await second.claim(10)).jobs).toEqual([])
  clock.now += LEASE_MS + 1
  expect((await second.claim(10)).jobs.map((job) => job.id)).toEqual([id])
})

test("a worker that was held up does not overwrite what another has found since", async () => {
  const { clock, first, second, job } = await oneRunningJob()
  const stale = await claimed(first)
  clock.now += LEASE_MS + 1
  const fresh = await claimed(second)
  const found = { misses: 0, waitMs: POLL_MS }
  expect(await second.observed(fresh.lease, fresh.job, { ...found, ending: "failed" })).toBe(true)
  expect(await first.observed(stale.lease, stale.job, { ...found, ending: "gone" })).toBe(false)
  expect(await job()).toMatchObject({ state: "ended", ending: "failed" })
})

test("nor does it move the next poll that another has set", async () => {
  const { clock, id, first, second } = await oneRunningJob()
  const stale = await claimed(first)
  clock.now += LEASE_MS + 1
  const fresh = await claimed(second)
  await second.reschedule(fresh.lease, [{ id, waitMs: 60_000 }])
  await first.reschedule(stale.lease, [{ id, waitMs: 0 }])
  clock.now += 59_999
  expect((await first.claim(10)).jobs).toEqual([])
  clock.now += 1
  expect((await first.claim(10)).jobs).toHaveLength(1)
})
