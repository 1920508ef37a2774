import { expect, test } from "vitest"
import { submit } from "../../../src/jobs/submit.ts"
import { cardPosted, polled, prepared } from "../../../src/jobs/transitions.ts"
import { useRedis } from "../../helpers/redis.ts"
import { openQueue, PROJECT } from "../../helpers/waiting.ts"

const redis = useRedis()

test("a request goes from its card to its pull request, and a follow-up goes as a message", async () => {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const { jobs, slots, submitting, broken } = openQueue(redis(), {}, () => clock.now)
  const deps = { ...submitting, delayMs: 5000 }
  const ask = (user: string, delivery: string, thread?: string) =>
    submit(deps, {
      project: PROJECT,
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
  expect(await slots.peek(PROJECT)).toBeGreaterThan(0)
  await jobs.change(first.id, ({ job }) => cardPosted(job, { ts: "1.1", hash: "x", delayMs: 5000 }))
  expect(await slots.peek(PROJECT)).toBe(5000)
  clock.now += 5000
  const grant = await slots.reserve(PROJECT, "token")
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
  expect(broken).toEqual([])
})
