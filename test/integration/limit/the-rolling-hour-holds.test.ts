import { describe, expect, test } from "vitest"
import type { CreationOutcome } from "../../../src/jobs/queue-ports.ts"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createForget } from "../../../src/redis/people/forget.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

const HOUR_MS = 3_600_000
/** A window is kept this much longer than an hour, for clocks that are slewed. */
const SLACK_MS = 5_000
const CREATION_MS = 20_000
const CEILING = 10
const CREATED: CreationOutcome = { kind: "created", agentJobId: "agent" }

const redis = useRedis()

/** One project at the service's ceiling, on a clock that is set by hand. */
async function aProject(reservedSlots = 0) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const limits = { jobsPerHour: CEILING, reservedSlots, creationMs: CREATION_MS, coldMs: 0, now }
  const slots = createSlotStore(redis(), limits)
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 1000, now })
  let tokens = 0
  const start = async (outcome: CreationOutcome | "on its way" = CREATED) => {
    tokens += 1
    const token = `token ${tokens}`
    const grant = await slots.reserve(PROJECT, token)
    if ("waitMs" in grant) return grant
    if (outcome !== "on its way") await slots.settle(grant, token, outcome, 1000)
    return { ...grant, token }
  }
  return {
    clock,
    slots,
    jobs,
    ask: queueing(redis(), now),
    start,
    /** Starts whatever may start now; who asked for it. */
    async startAll() {
      const users: string[] = []
      for (;;) {
        const started = await start()
        if ("waitMs" in started) return users
        users.push(started.job.user)
      }
    },
  }
}

describe("the rolling hour", () => {
  test("knows nobody any more once it has passed and The queue is empty", async () => {
    const project = await aProject()
    await project.ask("ada", 2)
    expect(await project.startAll()).toEqual(["ada", "ada"])
    const { log, last } = keys.project(PROJECT)
    expect(await redis().exists(last)).toBe(0)
    const ttl = await redis().pttl(log)
    expect(ttl).toBeGreaterThan(HOUR_MS)
    expect(ttl).toBeLessThanOrEqual(HOUR_MS + SLACK_MS + CREATION_MS)
  })

  test("is forgotten with whoever asks for that, as far as it has passed", async () => {
    const project = await aProject()
    const forgetting = createForget(redis(), {
      queues: async () => [PROJECT],
      now: () => project.clock.now,
    })
    const used = () => redis().zcard(keys.project(PROJECT).log)
    await project.ask("ada", 2)
    await project.startAll()
    project.clock.now += HOUR_MS
    await forgetting.forget("ada")
    expect(await used()).toBe(2)
    project.clock.now += SLACK_MS
    await forgetting.forget("ada")
    expect(await used()).toBe(0)
  })

  test("lets the ceiling through and no more, until the first is an hour old", async () => {
    const project = await aProject()
    // So many people that each of them has asked for little.
    for (const user of ["ada", "ben", "cleo", "dan", "eve"]) await project.ask(user, 4)
    expect(await project.startAll()).toHaveLength(CEILING)
    project.clock.now += HOUR_MS
    expect(await project.startAll()).toHaveLength(0)
    project.clock.now += SLACK_MS + 1
    expect(await project.startAll()).toHaveLength(CEILING)
  })

  test("counts a creation without an answer from the latest moment it can have arrived", async () => {
    const project = await aProject()
    await project.ask("ada", CEILING + 1)
    for (let i = 0; i < CEILING; i += 1) await project.start("on its way")
    project.clock.now += HOUR_MS + SLACK_MS + CREATION_MS / 2
    expect(await project.startAll()).toHaveLength(0)
    project.clock.now += CREATION_MS / 2 + 1
    expect(await project.startAll()).toHaveLength(1)
  })

  test("gives back the slot of a creation that the service refused", async () => {
    const project = await aProject()
    await project.ask("ada", CEILING + 1)
    await project.start({ kind: "refused", detail: "HTTP 400" })
    expect(await project.startAll()).toHaveLength(CEILING)
  })

  test("keeps the last slots for people who asked for little", async () => {
    const project = await aProject(3)
    await project.ask("ada", 2 * CEILING)
    expect(await project.startAll()).toHaveLength(CEILING - 3)
    await project.ask("ben", 1)
    expect(await project.startAll()).toEqual(["ben"])
  })
})

describe("one creation", () => {
  test("waits for its card, and lets those pass that have one", async () => {
    const project = await aProject()
    const [id = ""] = await project.ask("ada", 1)
    await redis().hdel(keys.job(id), "card")
    await project.ask("ben", 1)
    expect(await project.startAll()).toEqual(["ben"])
    await redis().hset(keys.job(id), "card", "1.1")
    expect(await project.startAll()).toEqual(["ada"])
  })

  test("takes one slot and one job, also when Redis hears the call twice", async () => {
    const project = await aProject()
    await project.ask("ada", 2)
    const first = await project.slots.reserve(PROJECT, "sent twice")
    const second = await project.slots.reserve(PROJECT, "sent twice")
    expect(second).toEqual(first)
    expect(await project.slots.live(PROJECT)).toHaveLength(1)
  })

  test("is not given up while its answer may still come, and then is told as unknown", async () => {
    const project = await aProject()
    const [id = ""] = await project.ask("ada", 1)
    await project.start("on its way")
    project.clock.now += CREATION_MS - 1
    expect(await project.slots.sweep(PROJECT)).toBe(0)
    project.clock.now += 1
    expect(await project.slots.sweep(PROJECT)).toBe(1)
    expect(await project.jobs.get(id)).toMatchObject({ state: "ended", ending: "unknown" })
  })

  test("that was given up stays so when its answer comes after all", async () => {
    const project = await aProject()
    const [id = ""] = await project.ask("ada", 1)
    const started = await project.start("on its way")
    if ("waitMs" in started) throw new Error("not started")
    project.clock.now += CREATION_MS
    await project.slots.sweep(PROJECT)
    await project.slots.settle(started, started.token, CREATED, 1000)
    expect(await project.jobs.get(id)).toMatchObject({ state: "ended", ending: "unknown" })
  })
})
