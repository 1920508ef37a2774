import { expect, test } from "vitest"
import { TIMING } from "../../../src/config/timing.ts"
import { JobStore } from "../../../src/jobs/job-store.ts"
import { HealthStore } from "../../../src/jobs/pause.ts"
import { createSlotStore } from "../../../src/jobs/slot-store.ts"
import { type SubmitDeps, submit } from "../../../src/jobs/submit.ts"
import { cardPosted, polled, prepared } from "../../../src/jobs/transitions.ts"
import { useRedis } from "../../helpers/redis.ts"

const redis = useRedis()

function world() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const store = { redis: redis(), now: () => clock.now }
  const jobs = new JobStore(store, {
    onBroken: (key, error) => {
      throw new Error(key, { cause: error })
    },
  })
  const health = new HealthStore(store)
  const slots = createSlotStore(store, jobs, health, {
    jobsPerHour: 99,
    reservedSlots: 0,
    creationMs: 20_000,
    coldMs: 0,
    heldMs: 60_000,
    pauses: { firstMs: 60_000, outageFirstMs: 15_000, longestMs: 900_000 },
    printOf: () => "k",
    onBroken: () => {},
  })
  const deps: SubmitDeps = {
    store,
    jobs,
    projectKeys: ["p"],
    limits: { maxQueuedPerUser: 50 },
    delayMs: 5000,
    timing: TIMING,
    hasMessages: async () => true,
    now: async () => clock.now,
    events: { asked() {} },
    auditDays: 0,
  }
  return { clock, store, jobs, slots, deps }
}

test("a request goes from its card to its pull request, and a follow-up goes as a message", async () => {
  const { clock, jobs, slots, deps } = world()
  const ask = (user: string, delivery: string, thread?: string) =>
    submit(deps, {
      project: "p",
      team: "T",
      channel: "C",
      user,
      thread,
      prompt: { words: delivery },
      delivery,
    })
  const first = await ask("ada", "fix it")
  if (first.outcome !== "queued") throw new Error(first.outcome)
  expect(await ask("ada", "fix it")).toEqual(first)
  const [held] = await jobs.claim("outbox", 10, 1000)
  expect(held?.words).toMatchObject({ [held?.job.asks[0]?.id ?? ""]: { words: "fix it" } })
  await jobs.change(first.id, ({ job, now }) =>
    prepared(job, { allowed: job.asks.map(({ id }) => id), refused: [], delayMs: 5000, now }),
  )
  expect(await slots.peek("p")).toBeGreaterThan(0)
  await jobs.change(first.id, ({ job }) =>
    cardPosted(job, { ts: "1.1", print: "x", delayMs: 5000 }),
  )
  expect(await slots.peek("p")).toBe(5000)
  clock.now += 5000
  const grant = await slots.reserve("p", "token")
  if ("waitMs" in grant) throw new Error(`${grant.waitMs}`)
  expect(grant.job.state).toBe("creating")
  await slots.settle(grant, "token", { kind: "created", agentJobId: "a1" }, 1000)
  const second = await ask("ben", "and this", "1.1")
  expect(second).toMatchObject({ outcome: "queued", id: first.id, isFollowUp: true })
  clock.now += 2000
  const [polling] = await jobs.claim("polls", 10, 1000)
  expect(polling?.job.agentJobId).toBe("a1")
  await jobs.change(first.id, ({ job, now }) =>
    polled(job, {
      ending: "pull_request",
      prLink: "https://github.com/a/b/pull/1",
      misses: 0,
      waitMs: 0,
      now,
    }),
  )
  const found = await jobs.find(first.id)
  expect(found?.job).toMatchObject({ state: "ended", ending: "pull_request", round: 1 })
  expect(found?.job.asks.map(({ round }) => round)).toEqual([1, 2])
})
