import { describe, expect, test } from "vitest"
import { isEnded } from "../../../src/jobs/job.ts"
import { overviewOf, STATUS_ROOM } from "../../../src/jobs/overview.ts"
import type { JobStore } from "../../../src/jobs/ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { SAME_NAMES } from "../../../src/redis/projects/names.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { createQueueStore } from "../../../src/redis/queue/store.ts"
import { useRedis } from "../../helpers/redis.ts"
import { accepted, PROJECT, queueing } from "../../helpers/waiting.ts"

const LIMITS = { jobsPerHour: 99, reservedSlots: 0, windowMs: 3_605_000 }
const redis = useRedis()

/** One person's jobs over time; each is asked for in a later millisecond. */
function aDay() {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => {
    clock.now += 1
    return clock.now
  }
  const jobs: JobStore = createJobStore(redis(), { maxQueuedPerUser: 10_000, now })
  const slots = createSlotStore(redis(), { ...LIMITS, creationMs: 20_000, coldMs: 0, now })
  const queue = createQueueStore(redis(), {
    windowMs: LIMITS.windowMs,
    names: SAME_NAMES,
    now,
  })
  const enqueue = queueing(redis(), now)

  async function ask(): Promise<string> {
    const [id = ""] = await enqueue("ada")
    return id
  }

  /** Starts whatever is next in line. */
  async function start(): Promise<void> {
    const token = `token ${clock.now}`
    const grant = await slots.reserve(PROJECT, token)
    if ("waitMs" in grant) throw new Error("not started")
    await slots.settle(grant, token, await accepted(), 1000)
  }

  async function cancelled(n: number): Promise<void> {
    for (let i = 0; i < n; i += 1) {
      const job = await jobs.get(await ask())
      if (job) await jobs.endQueued(job, "cancelled")
    }
  }

  const projects = [{ name: PROJECT }]
  const gitHubHost = "github.com"
  const deps = { jobs, queue, limits: LIMITS, projects, gitHubHost, permalink: () => undefined }
  const seen = (room = STATUS_ROOM) => overviewOf(deps, "ada", room)
  return { ask, start, cancelled, seen, jobs }
}

describe("a person's list", () => {
  test("has what runs first, then what waits in its order, then what has ended", async () => {
    const { ask, start, cancelled, seen } = aDay()
    const first = await ask()
    await start()
    await cancelled(3)
    const second = await ask()
    await start()
    const next = await ask()
    const later = await ask()
    const { jobs, more } = await seen()
    expect(jobs.slice(0, 4).map(({ job }) => job.id)).toEqual([second, first, next, later])
    expect(jobs.slice(4).map(({ job }) => job.ending)).toEqual([
      "cancelled",
      "cancelled",
      "cancelled",
    ])
    expect(more).toBe(0)
  })

  test("keeps what runs in sight, however many have ended since", async () => {
    const { ask, start, cancelled, seen, jobs } = aDay()
    const running = await ask()
    await start()
    const queued = await ask()
    await cancelled(130)
    const { jobs: listed } = await seen()
    expect(listed.slice(0, 2).map(({ job }) => job.id)).toEqual([running, queued])
    expect(listed).toHaveLength(10)
    // The list itself stays short.
    expect(await jobs.ofUser("ada", 1000)).toHaveLength(100)
  })

  test("counts what it has no room for, and keeps room for what has ended where that has its own", async () => {
    const { ask, cancelled, seen } = aDay()
    await cancelled(5)
    for (let n = 0; n < 13; n += 1) await ask()
    const home = await seen({ open: 10, all: 20 })
    expect(home.jobs.filter(({ job }) => isEnded(job))).toHaveLength(5)
    expect(home.more).toBe(3)
  })
})

test("a list that somebody changed by hand hinders nobody's request", async () => {
  const { ask, cancelled, seen } = aDay()
  await cancelled(100)
  const [odd] = await redis().zrange(keys.user("ada"), "0", "0")
  await redis().del(keys.job(odd ?? ""))
  await redis().set(keys.job(odd ?? ""), "no hash")
  const id = await ask()
  expect((await seen()).jobs[0]?.job.id).toBe(id)
})
