import { once } from "node:events"
import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test } from "vitest"
import { pollPass } from "../../../src/jobs/poll.ts"
import { createPollQueue } from "../../../src/redis/jobs/poll-queue.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

const LEASE_MS = 30_000
const POLL_MS = 1000

const redis = useRedis()

/** One job that the service works on, and two workers that would poll it. */
async function oneRunningJob() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const limits = { jobsPerHour: 99, reservedSlots: 0, creationMs: 20_000, coldMs: 0, now }
  const slots = createSlotStore(redis(), limits)
  const start = async (user: string) => {
    const [id = ""] = await queueing(redis(), now)(user, 1)
    const grant = await slots.reserve(PROJECT, `token of ${user}`)
    if ("waitMs" in grant) throw new Error("not started")
    const outcome = { kind: "created", agentJobId: "agent" } as const
    await slots.settle(grant, `token of ${user}`, outcome, POLL_MS)
    clock.now += POLL_MS
    return id
  }
  const id = await start("ada")
  const worker = () => createPollQueue(redis(), { leaseMs: LEASE_MS, onBroken() {}, now })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 50, now })
  return { clock, id, start, first: worker(), second: worker(), job: () => jobs.get(id) }
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
  expect(await second.record(fresh.lease, fresh.job, { ...found, ending: "failed" })).toBe(true)
  expect(await first.record(stale.lease, stale.job, { ...found, ending: "gone" })).toBe(false)
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

test("a Redis that is lost between two answers of a batch fails the pass, and nothing else", async () => {
  const { clock, start } = await oneRunningJob()
  await start("bob")
  const own = redis().duplicate()
  const queue = createPollQueue(own, { leaseMs: LEASE_MS, onBroken() {}, now: () => clock.now })
  const gone = once(own, "end")
  let asked = 0
  const docs = {
    sendMessage: undefined,
    createJob: () => Promise.reject(new Error("not asked for")),
    visitors: () => Promise.reject(new Error("not asked for")),
    async getJob() {
      asked += 1
      own.disconnect()
      // The second answer comes one turn after the first one failed to be written.
      if (asked === 2) await gone.then(() => nextTurn())
      return { id: "agent", status: "failed" as const }
    },
  }
  const policy = { minMs: POLL_MS, maxMs: POLL_MS, timeoutMs: 86_400_000 }
  const lessons = { heed: async () => false }
  const deps = { queue, docs, lessons, random: Math.random, onFailed() {} }
  const pass = pollPass({ ...deps, signal: new AbortController().signal }, policy)
  await expect(pass).rejects.toThrow("Connection is closed")
  expect(asked).toBe(2)
})

test("a poll that fails as nobody expected counts as no answer, for its own job alone", async () => {
  const { clock, id, start, first: queue, job } = await oneRunningJob()
  const other = await start("bob")
  const failed: string[] = []
  const docs = {
    sendMessage: undefined,
    createJob: () => Promise.reject(new Error("not asked for")),
    visitors: () => Promise.reject(new Error("not asked for")),
    getJob: async () => ({ id: "agent", status: "failed" as const }),
  }
  const lessons = {
    heed: async (asked: { id: string }) => {
      if (asked.id === id) throw new TypeError("of something that is not there")
      return false
    },
  }
  const deps = { queue, docs, lessons, random: () => 0.5, signal: new AbortController().signal }
  const onFailed = (asked: { id: string }) => void failed.push(asked.id)
  const policy = { minMs: POLL_MS, maxMs: 60_000, timeoutMs: 3_600_000 }
  const pass = () => pollPass({ ...deps, onFailed }, policy)

  await pass()
  expect(failed).toEqual([id])
  const { jobs } = await queue.claim(10)
  expect(jobs).toEqual([])
  expect(await job()).toMatchObject({ state: "active" })
  expect(await createJobStore(redis(), { maxQueuedPerUser: 50 }).get(other)).toMatchObject({
    ending: "failed",
  })

  clock.now += 60_001
  await pass()
  expect(failed).toEqual([id, id])

  clock.now += 3_600_000
  await pass()
  expect(await job()).toMatchObject({ state: "ended", ending: "lost" })
})
