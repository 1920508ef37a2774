import { randomUUID } from "node:crypto"
import { expect, test } from "vitest"
import { createJobStore } from "../../../src/redis/jobs/store.ts"
import { keys } from "../../../src/redis/keys.ts"
import { createOutbox } from "../../../src/redis/outbox/store.ts"
import { createSlotStore } from "../../../src/redis/queue/slots.ts"
import { createSubscriptions } from "../../../src/redis/visitors/subscriptions.ts"
import { visitorsKeys } from "../../../src/redis/visitors-keys.ts"
import { useRedis } from "../../helpers/redis.ts"
import { PROJECT, queueing } from "../../helpers/waiting.ts"

const redis = useRedis()
const k = keys.project(PROJECT)

/** The queue of one project, and what whoever runs the bot is told about it. */
function opened(ceiling = 99, reservedSlots = 0) {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  const told: string[] = []
  const onBroken = (key: string) => void told.push(key)
  const limits = { jobsPerHour: ceiling, reservedSlots, creationMs: 20_000, coldMs: 0 }
  const slots = createSlotStore(redis(), { ...limits, onBroken, now })
  const outbox = createOutbox(redis(), { leaseMs: 30_000, onBroken, now })
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 50, onBroken, now })
  return { clock, told, slots, outbox, jobs, queued: queueing(redis(), now) }
}

/** The id of what is started next; its slot is taken. */
async function next(slots: ReturnType<typeof opened>["slots"]): Promise<string | undefined> {
  const grant = await slots.reserve(PROJECT, randomUUID())
  return "job" in grant ? grant.job.id : undefined
}

test("a job of another version is left to that version, and the next one starts", async () => {
  const { slots, queued, outbox, told } = opened()
  const [newer = ""] = await queued("ada")
  const [ours] = await queued("ben")
  await redis().hset(keys.job(newer), "v", "2")
  await outbox.claim(10)

  expect(await next(slots)).toBe(ours)
  expect(await next(slots)).toBeUndefined()

  expect(await redis().zscore(k.wait, newer)).not.toBeNull()
  expect(await redis().hget(keys.job(newer), "state")).toBe("queued")
  expect(told).toEqual([keys.job(newer)])
})

test("whoever is first behind jobs that are gone is next, and nobody behind them", async () => {
  const { slots, queued } = opened()
  const gone = await queued("ada", 5)
  const [first = "", second = ""] = [...(await queued("ben")), ...(await queued("cleo"))]
  // All of the first look into the queue, whatever their order was.
  for (const [n, id] of [...gone, first, second].entries()) await redis().zadd(k.wait, n, id)
  await redis().del(...gone.map(keys.job))

  expect(await next(slots)).toBe(first)
  expect(await next(slots)).toBe(second)
})

test("what was started once is not started again, whatever the queue says", async () => {
  const { slots, queued } = opened()
  const [id = ""] = await queued("ada")
  const grant = await slots.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("not started")
  await slots.settle(grant, "token", { kind: "created", agentJobId: "agent" }, 1000)
  await redis().zadd(k.wait, 0, id)

  expect(await next(slots)).toBeUndefined()
  expect(await redis().zcard(k.log)).toBe(1)
})

test.each([
  ["gone", (id: string) => redis().del(keys.job(id))],
  ["no hash", (id: string) => redis().set(keys.job(id), "in the way")],
] as const)("a creation in flight whose record is %s holds up nobody", async (_, change) => {
  const { clock, slots, queued } = opened()
  const [id = ""] = await queued("ada")
  expect(await next(slots)).toBe(id)
  await redis().del(keys.job(id))
  await change(id)
  clock.now += 20_001

  await slots.sweep(PROJECT)

  expect(await redis().zcard(k.creating)).toBe(0)
  const [other] = await queued("ben")
  expect(await next(slots)).toBe(other)
})

test.each([
  ["without an end", { reason: "outage" }],
  ["until some day", { reason: "outage", until: "some day", since: "1" }],
])("a pause %s is over", async (_, pause) => {
  const { slots, queued } = opened()
  const [id] = await queued("ada")
  await redis().hset(k.pause, pause)
  expect(await next(slots)).toBe(id)
})

test("a pause that is none is over, and the next one counts from the first", async () => {
  const { slots, queued } = opened()
  await queued("ada")
  await redis().set(k.pause, "in the way")
  const grant = await slots.reserve(PROJECT, "token")
  if ("waitMs" in grant) throw new Error("not started")

  await slots.settle(grant, "token", { kind: "put_back", reason: "outage" }, 1000)

  expect(await redis().hget(k.pause, "tries")).toBe("1")
  expect(await slots.peek(PROJECT)).toBe(60_000)
})

test("an entry of the hour that names nobody counts, and stops nothing", async () => {
  const { clock, slots, queued } = opened(2, 1)
  await redis().zadd(k.log, clock.now, "nobody")
  const [id] = await queued("ada")
  expect(await next(slots)).toBe(id)
  await queued("ben")
  expect(await next(slots)).toBeUndefined()
})

test("a list of the hour that is none starts nothing, and the error names it", async () => {
  const { slots, queued } = opened()
  await queued("ada")
  await redis().set(k.log, "in the way")
  await expect(next(slots)).rejects.toThrow(/WRONGTYPE.*p:docs-site:log.*delete it/s)
})

test("a field that is to be a number and is none: the error names its key", async () => {
  const { jobs, queued } = opened()
  const [id = ""] = await queued("ada")
  const job = await jobs.get(id)
  if (!job) throw new Error("Nothing was queued")
  await redis().hset(keys.job(id), "rev", "1e400")
  const named = new RegExp(`not an integer.*${keys.job(id)}.*delete it`, "s")
  await expect(jobs.endQueued(job, "cancelled")).rejects.toThrow(named)
})

test("a request that could not be written down is heard when it is repeated", async () => {
  const { jobs } = opened()
  const request = {
    project: PROJECT,
    team: "T1",
    channel: "C1",
    user: "ada",
    prompt: { words: "fix it" },
    idempotencyKey: "the same",
  }
  await redis().set(keys.carding, "in the way")
  await expect(jobs.enqueue(request)).rejects.toThrow(/WRONGTYPE/)
  expect(await redis().zcard(k.wait)).toBe(0)
  await redis().del(keys.carding)
  expect(await jobs.enqueue(request)).toMatchObject({ outcome: "queued" })
  expect(await redis().zcard(k.wait)).toBe(1)
})

test("a record in the outbox that is no hash is told of, and the others are said", async () => {
  const { outbox, queued, told } = opened()
  const [broken = "", whole] = [...(await queued("ada")), ...(await queued("ben"))]
  await redis().set(keys.job(broken), "in the way")
  await redis().del(keys.carding)

  const said = await outbox.claim(10)

  expect(said.map(({ job }) => job.id)).toEqual([whole])
  expect(told).toEqual([keys.job(broken)])
})

test("a digest that is no hash keeps no other from its channel, and can be ended", async () => {
  const now = () => 1_000_000
  const told: string[] = []
  const subscriptions = createSubscriptions(redis(), {
    now,
    onBroken: (key) => void told.push(key),
  })
  const digest = (channel: string, dueAt: number) => ({
    team: "T1",
    channel,
    project: PROJECT,
    user: "ada",
    zone: "UTC",
    rhythm: { every: "daily" as const, hour: 9, minute: 0 },
    dueAt,
  })
  await subscriptions.save(digest("C1", 1))
  await subscriptions.save(digest("C2", 2))
  const key = visitorsKeys.digest("T1:C1:daily")
  await redis().set(key, "in the way")

  expect(await subscriptions.claim(1000)).toBeUndefined()
  expect((await subscriptions.claim(1000))?.subscription.channel).toBe("C2")
  expect(told).toEqual([key])
  await subscriptions.remove("T1", "C1", "daily")
  expect(await redis().exists(key)).toBe(0)
})
