import { describe, expect, test } from "vitest"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { placesOf, readQueue } from "../../src/limit/queue-positions.ts"
import { HEAVY_FROM } from "../../src/store/grant-slot.ts"
import { useRedis } from "../helpers/redis.ts"
import { CREATED, openQueue, PROJECT } from "../helpers/waiting.ts"

const HOUR_MS = 3_600_000
/** Time in ms by which a window outlasts an hour, for clocks that are slewed. */
const SLACK_MS = 5_000
const CREATION_MS = 20_000
const CEILING = 10

const redis = useRedis()

/** Opens one project's queue at the service's ceiling, on a manual clock. */
function aProject(reservedSlots = 0, delayMs = 0) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const limits = { jobsPerHour: CEILING, reservedSlots, arrivesWithinMs: CREATION_MS, delayMs }
  const queue = openQueue(redis(), limits, () => clock.now)
  return {
    ...queue,
    clock,
    /** Starts everything that may start now. @returns the requesters */
    async startAll() {
      const users: string[] = []
      for (;;) {
        const started = await queue.start()
        if ("waitMs" in started) return users
        users.push(started.job.user)
      }
    },
  }
}

describe("LIM-1: the rolling hour", () => {
  test("lets the ceiling through and no more, until the first is an hour old, and forgets who asked", async () => {
    const project = aProject()
    // Enough people that each of them has made few requests.
    for (const user of ["ada", "ben", "cleo", "dan", "eve"]) await project.ask(user, 4)
    expect(await project.startAll()).toHaveLength(CEILING)
    const ttl = await redis().pttl(queueKeys(PROJECT).log)
    expect(ttl).toBeGreaterThan(HOUR_MS)
    expect(ttl).toBeLessThanOrEqual(HOUR_MS + SLACK_MS + CREATION_MS)
    project.clock.now += HOUR_MS
    expect(await project.startAll()).toHaveLength(0)
    project.clock.now += SLACK_MS + 1
    expect(await project.startAll()).toHaveLength(CEILING)
  })

  test("LIM-2: lets at least 98% of the ceiling through, hour after hour", async () => {
    const project = aProject()
    for (const user of ["ada", "ben", "cleo"]) await project.ask(user, 2 * CEILING)
    const end = project.clock.now + 5 * HOUR_MS
    let creations = 0
    while (project.clock.now < end) {
      const started = await project.start()
      if (!("waitMs" in started)) creations += 1
      // The service answers after a while; a pass that may start nothing comes back as told.
      project.clock.now += "waitMs" in started ? started.waitMs : 10_000
    }
    expect(creations).toBeGreaterThanOrEqual(0.98 * 5 * CEILING)
    expect(creations).toBeLessThanOrEqual(5 * CEILING)
  })

  test("counts a creation without an answer from the latest moment it can have arrived", async () => {
    const project = aProject()
    await project.ask("ada", CEILING + 1)
    for (let i = 0; i < CEILING; i += 1) await project.start("in the air")
    project.clock.now += HOUR_MS + SLACK_MS + CREATION_MS / 2
    expect(await project.startAll()).toHaveLength(0)
    project.clock.now += CREATION_MS / 2 + 1
    expect(await project.startAll()).toHaveLength(1)
  })

  test("gives back the slot of a creation that the service refused", async () => {
    const project = aProject()
    await project.ask("ada", CEILING + 1)
    await project.start({ kind: "refused", detail: "HTTP 400" })
    expect(await project.startAll()).toHaveLength(CEILING)
  })

  test.each([0, 4, 5, 6])(
    "LIM-7: the last slots go to people with fewer than five creations in the hour, as a card promises: %s",
    async (mine) => {
      const limits = { jobsPerHour: CEILING, reservedSlots: 2 }
      const project = aProject(limits.reservedSlots)
      await project.ask("ada", mine)
      await project.ask("ben", CEILING - limits.reservedSlots - mine)
      expect(await project.startAll()).toHaveLength(CEILING - limits.reservedSlots)
      const [id = ""] = await project.ask("ada", 1)
      const queues = { ...project, settings: { limits: { ...limits, jobsPerMonth: 0 } } }
      const facts = await readQueue(queues, PROJECT)
      const startsAt = placesOf(facts, limits)({ id, turnOf: "ada" })?.startsAt ?? Number.NaN
      expect(startsAt - facts.now > 0).toBe((await project.slots.peek(PROJECT)) > 0)
      expect(startsAt - facts.now > 0).toBe(mine >= HEAVY_FROM)
    },
  )
})

describe("one creation", () => {
  test("waits until it may still be undone", async () => {
    const project = aProject(0, 5000)
    await project.ask("ada")
    expect(await project.slots.peek(PROJECT)).toBe(5000)
    expect(await project.startAll()).toEqual([])
    project.clock.now += 5000
    expect(await project.startAll()).toEqual(["ada"])
  })

  test("takes one slot and one job, also when Redis hears the call twice", async () => {
    const project = aProject()
    await project.ask("ada", 2)
    const first = await project.slots.grant(PROJECT, "sent twice")
    const second = await project.slots.grant(PROJECT, "sent twice")
    expect(second).toEqual(first)
    expect(await project.slots.live(PROJECT)).toHaveLength(1)
  })

  test("takes a slot of its own when a restored backup brings a sent request back", async () => {
    const project = aProject()
    const [id = ""] = await project.ask("ada", 1)
    const { wait, waiting } = queueKeys(PROJECT)
    const [record, queued] = [jobKeys.record(id), await redis().hgetall(jobKeys.record(id))]
    await project.startAll()
    await redis().del(record)
    await redis().hset(record, queued)
    for (const key of [wait, waiting("ada")]) await redis().zadd(key, queued.tag ?? "", id)
    expect(await project.startAll()).toEqual(["ada"])
    expect(await project.slots.live(PROJECT)).toHaveLength(2)
  })

  test("LIM-14: is not given up while its answer may still come, and then stays unknown, whatever comes", async () => {
    const project = aProject()
    const [id = ""] = await project.ask("ada", 1)
    const started = await project.inTheAir()
    project.clock.now += CREATION_MS - 1
    expect(await project.slots.sweep(PROJECT)).toBe(0)
    project.clock.now += 1
    expect(await project.slots.sweep(PROJECT)).toBe(1)
    const unknown = { state: "ended", rounds: [{ ending: "unknown" }] }
    expect((await project.jobs.find(id))?.job).toMatchObject(unknown)
    expect(await project.slots.live(PROJECT)).toHaveLength(1)
    await project.slots.settle(started, started.token, CREATED)
    expect((await project.jobs.find(id))?.job).toMatchObject(unknown)
  })
})
