import { describe, expect, test } from "vitest"
import type { Job } from "../../../src/jobs/job.ts"
import type { JobStore } from "../../../src/jobs/ports.ts"
import type { OutboxEntry } from "../../../src/jobs/worker-ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { useRedis } from "../../helpers/redis.ts"
import { accepted, PROJECT, queueing } from "../../helpers/waiting.ts"

const LEASE_MS = 30_000
/** "Tier 3: 50+ per minute" */
const EDITS_A_MINUTE = 50

const redis = useRedis()

/** So many waiting cards of one channel after a burst: each has an edit that waits for its turn. */
async function afterBurst(cards: number) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const outbox = createOutbox(redis(), { leaseMs: LEASE_MS, onBroken() {}, now })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 10_000, now })
  const ids = await queueing(redis(), now)("ada", cards)
  for (;;) {
    const claimed = await outbox.claim(20)
    for (const entry of claimed)
      await outbox.settle(entry, { sure: "untried", againMs: 1500 * cards })
    if (claimed.length === 0) break
  }
  // Routine edits take what Slack lets them.
  const drain = async () => {
    let edits = 0
    while ((await outbox.rateLimit("edit", "C1")) === 0) edits += 1
    return edits
  }
  const job = async (id = "") => (await jobs.get(id)) as Job
  return { clock, now, outbox, jobs, ids, drain, job }
}

const shown = ({ job }: OutboxEntry) => ({ sure: true, shown: { rev: job.rev } }) as const

describe("what a person did is shown before all that the bot says of its own accord", () => {
  const acts: [string, (jobs: JobStore, job: Job) => Promise<boolean>, object][] = [
    ["Cancel", (jobs, job) => jobs.endQueued(job, "cancelled"), { ending: "cancelled" }],
    ["another project", (jobs, job) => jobs.move(job, "other-site"), { project: "other-site" }],
  ]
  test.each(acts)("%s, on a waiting card", async (_, act, becomes) => {
    const { outbox, jobs, ids, drain, job } = await afterBurst(60)
    await drain()

    await act(jobs, await job(ids[40]))

    const [entry, ...others] = await outbox.claim(20)
    expect(entry).toMatchObject({ isAnswer: true, job: { id: ids[40], ...becomes } })
    expect(others).toEqual([])
    expect(await outbox.rateLimit("edit", "C1")).toBeGreaterThan(0)
    expect(await outbox.rateLimit("answer", "C1")).toBe(0)
  })

  test("Stop following and Follow again, on a running one", async () => {
    const { clock, now, outbox, jobs, ids, drain, job } = await afterBurst(30)
    const limits = { jobsPerHour: 99, reservedSlots: 0, creationMs: 20_000, coldMs: 0, now }
    const slots = createSlotStore(redis(), limits)
    const grant = await slots.reserve(PROJECT, "token")
    if ("waitMs" in grant) throw new Error("not started")
    await slots.settle(grant, "token", await accepted(), 1000)
    const { id } = grant.job
    expect(ids).toContain(id)
    await drain()

    await jobs.unfollow(await job(id))
    const [stopped] = await outbox.claim(20)
    expect(stopped).toMatchObject({ isAnswer: true, job: { id, ending: "unfollowed" } })
    if (stopped) await outbox.settle(stopped, shown(stopped))
    clock.now += 10
    await jobs.reopen(await job(id))

    expect((await outbox.claim(20))[0]).toMatchObject({
      isAnswer: true,
      job: { id, state: "active" },
    })
  })

  test("also among more that is due than one claim takes", async () => {
    const { clock, outbox, jobs, ids, job } = await afterBurst(60)
    clock.now += 1500 * 60
    await jobs.endQueued(await job(ids[59]), "cancelled")
    expect((await outbox.claim(20))[0]).toMatchObject({ isAnswer: true, job: { id: ids[59] } })
  })

  test("at once after an edit that was under way, which it changes again", async () => {
    const { clock, outbox, jobs, ids, job } = await afterBurst(2)
    clock.now += 1500 * 2
    const edits = await outbox.claim(20)
    await jobs.endQueued(await job(ids[0]), "cancelled")
    expect(await outbox.claim(20)).toEqual([])
    for (const edit of edits) await outbox.settle(edit, shown(edit))
    expect((await outbox.claim(20)).map(({ job }) => job.id)).toEqual([ids[0]])
  })
})

test("once shown it is routine again, and nothing is left of it", async () => {
  const { clock, outbox, jobs, ids, job } = await afterBurst(2)
  await jobs.endQueued(await job(ids[0]), "cancelled")
  const [entry] = await outbox.claim(20)
  if (entry) await outbox.settle(entry, shown(entry))
  expect(await redis().exists(keys.answers)).toBe(0)
  // A worker of the version before shows it without knowing of answers.
  await jobs.endQueued(await job(ids[1]), "cancelled")
  await redis().zrem(keys.outbox, ids[1] ?? "")
  clock.now += 10
  await outbox.claim(20)
  expect(await redis().exists(keys.answers)).toBe(0)
})

test("answers and routine edits together stay below what Slack takes in any minute", async () => {
  const { clock, outbox } = await afterBurst(0)
  const edits: number[] = []
  for (let ms = 0; ms < 180_000; ms += 100) {
    clock.now += 100
    for (const kind of ["edit", "answer"] as const)
      while ((await outbox.rateLimit(kind, "C1")) === 0) edits.push(clock.now)
  }
  const most = Math.max(
    ...edits.map((at) => edits.filter((other) => other >= at && other <= at + 60_000).length),
  )
  expect(most).toBeLessThan(EDITS_A_MINUTE)
  expect(most).toBeGreaterThan(EDITS_A_MINUTE * 0.85)
})
