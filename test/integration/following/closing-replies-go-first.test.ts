import { expect, test } from "vitest"
import { createPollQueue } from "../../../src/redis/jobs/poll-queue.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

const LEASE_MS = 30_000
const POLL_MS = 1000

const redis = useRedis()

/** A running job whose card is to be edited, and the service's word that it has ended. */
async function endingJob() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const limits = { jobsPerHour: 99, reservedSlots: 0, creationMs: 20_000, coldMs: 0, now }
  const slots = createSlotStore(redis(), limits)
  await queueing(redis(), now)("ada", 1)
  const grant = await slots.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("not started")
  await slots.settle(grant, "token", { kind: "created", agentJobId: "agent" }, POLL_MS)
  const options = { leaseMs: LEASE_MS, onBroken() {}, now }
  const outbox = createOutbox(redis(), options)
  const polls = createPollQueue(redis(), options)
  const claim = async () => {
    const [utterance] = await outbox.claim(10)
    return utterance
  }
  const end = async () => {
    clock.now += POLL_MS
    const { lease, jobs } = await polls.claim(10)
    const [job] = jobs
    if (!job) throw new Error("nothing was due")
    await polls.record(lease, job, { misses: 0, waitMs: POLL_MS, ending: "pull_request" })
  }
  return { clock, slots, outbox, claim, end }
}

test("a closing reply does not wait for the turn that its card's edit waits for", async () => {
  const { outbox, claim, end } = await endingJob()
  const edit = await claim()
  if (!edit) throw new Error("nothing to say")
  await outbox.settle(edit, { sure: "untried", againMs: 60_000 })
  expect(await claim()).toBeUndefined()

  await end()

  expect((await claim())?.job).toMatchObject({ state: "ended", ending: "pull_request" })
})

test("while somebody speaks of the job nobody else does", async () => {
  const { clock, outbox, claim, end } = await endingJob()
  const speaking = await claim()
  if (!speaking) throw new Error("nothing to say")

  await end()

  expect(await claim()).toBeUndefined()
  await outbox.settle(speaking, { sure: true, shown: { rev: speaking.job.rev } })
  clock.now += 2000
  expect((await claim())?.job).toMatchObject({ state: "ended" })
})

test("nor does an ending that the creation itself brings wait", async () => {
  const { clock, slots, outbox, claim } = await endingJob()
  const [id] = await queueing(redis(), () => clock.now)("ben", 1)
  const grant = await slots.reserve(PROJECT, "another")
  if ("waitMs" in grant) throw new Error("not started")
  for (const utterance of await outbox.claim(10))
    await outbox.settle(utterance, { sure: "untried", againMs: 60_000 })
  expect(await claim()).toBeUndefined()

  await slots.settle(grant, "another", { kind: "refused", detail: "too vague" }, POLL_MS)

  expect((await claim())?.job).toMatchObject({ id, ending: "refused" })
})
