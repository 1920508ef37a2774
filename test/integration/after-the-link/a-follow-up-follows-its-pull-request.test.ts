import { expect, test } from "vitest"
import { TIMING } from "../../../src/config/timing.ts"
import { newsOf } from "../../../src/pulls/poll-pulls.ts"
import type { PullNews } from "../../../src/pulls/ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { createPullStore } from "../../../src/redis/pulls/store.ts"
import { useRedis } from "../../helpers/redis.ts"
import { queueing } from "../../helpers/waiting.ts"

const DAY_MS = 86_400_000
const GITHUB = "https://api.github.com"
const OPEN = { phase: "open", updatedAt: 0, verdict: "none", reviewedAt: 0 } as const
const redis = useRedis()

/** Jobs with cards, and the pull requests that they come to. */
async function following(count: number) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const store = createPullStore(redis(), GITHUB, { leaseMs: 1000, firstMs: 0, now })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 50, now })
  const ids = await queueing(redis(), now)("ada", count)
  const refOf = (number: number) => ({ owner: "acme", repo: "docs", number })
  const watch = (job: string, number: number) => store.watch(job, refOf(number))
  /** One poll of a pull request finds this. */
  const found = async (number: number, news: Partial<PullNews>) => {
    const { lease, pulls } = await store.claim(10)
    for (const pull of pulls) {
      const isIt = pull.ref.number === number
      await store.record(lease, pull, { failures: 0, waitMs: 0, ...(isIt ? news : {}) })
    }
  }
  return { clock, store, jobs, ids, watch, found }
}

test("a job whose pull request is another one now does not show what became of the first", async () => {
  const { jobs, ids, watch, found } = await following(2)
  const [before = "", job = ""] = ids
  await watch(before, 7)
  await watch(job, 7)
  await found(7, { state: "merged" })
  expect((await jobs.get(job))?.pullState).toBe("merged")

  await watch(job, 8)
  expect((await jobs.get(job))?.pullState).toBeUndefined()
  await found(8, { state: "open" })
  await found(7, { state: "closed" })

  expect((await jobs.get(job))?.pullState).toBe("open")
  expect((await jobs.get(before))?.pullState).toBe("closed")
  await found(8, { state: "merged" })
  expect((await jobs.get(job))?.pullState).toBe("merged")
})

test("a follow-up after weeks has its pull request followed for as long as the first job had", async () => {
  const { clock, store, ids, watch } = await following(2)
  const [first = "", followUp = ""] = ids
  await watch(first, 7)
  clock.now += 29 * DAY_MS
  await watch(followUp, 7)
  clock.now += 29 * DAY_MS
  // What a job reports again, as each poll may, begins nothing anew.
  await watch(followUp, 7)

  const waitAfter = async () => {
    const { now, pulls } = await store.claim(10)
    const [pull] = pulls
    if (!pull) throw new Error("It is not followed")
    return newsOf(pull, { kind: "facts", facts: OPEN }, now, TIMING.pulls).waitMs
  }
  expect(await waitAfter()).toBeGreaterThan(0)
  clock.now += DAY_MS
  expect(await waitAfter()).toBeUndefined()
})
