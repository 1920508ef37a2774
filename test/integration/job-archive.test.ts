import { expect, test } from "vitest"
import { createJobArchive } from "../../src/redis/archive/jobs.ts"
import { jobPacking } from "../../src/redis/archive/pack-jobs.ts"
import { createJobStore } from "../../src/redis/jobs/store.ts"
import { KEEP_MS, keys } from "../../src/redis/keys.ts"
import { createOutbox } from "../../src/redis/outbox/store.ts"
import { createForget } from "../../src/redis/people/forget.ts"
import { useRedis } from "../helpers/redis.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { PROJECT } from "../helpers/waiting.ts"

const redis = useRedis()

const COUNT = 20
const REST_MS = 20 * 60_000
const HOUR_MS = 3_600_000
/** So long after their end also few jobs are packed, ms. */
const LONG_MS = REST_MS + 3 * HOUR_MS + 1

/** Jobs of two people in turn that have ended and said all, and the time, which the test sets. */
async function ended(count = COUNT, ending: "refused" | "cancelled" = "refused") {
  // Redis deletes by its own clock: everything happens today.
  const clock = { now: Date.now() }
  const now = () => clock.now
  const broken: string[] = []
  const onBroken = (key: string) => void broken.push(key)
  const jobs = createJobStore(redis(), { maxQueuedPerUser: 10_000, onBroken, now })
  const outbox = createOutbox(redis(), { leaseMs: 30_000, onBroken, now })
  const asked = Array.from({ length: count }, async (_, n) => {
    const user = n % 2 ? "UADA" : "UBEN"
    const words = `${n % 2 ? "canary of ada" : "words of ben"}: page ${n} says “weekly”, and means it`
    const place = { project: PROJECT, team: "T1", channel: "C1", thread: `1700000${n}.000001` }
    const accepted = await jobs.enqueue({
      ...place,
      user,
      prompt: { words },
      idempotencyKey: `${n}`,
    })
    if (accepted.outcome !== "queued") throw new Error(accepted.outcome)
    const job = await jobs.get(accepted.id)
    if (job) await jobs.endQueued(job, ending, "a reason")
    return accepted.id
  })
  const ids = await Promise.all(asked)
  await settleAll(outbox)
  const pack = jobPacking(redis(), { restMs: REST_MS, afterMs: 0, few: 250, now })
  const packAll = async () => {
    while (await pack());
  }
  const forget = (user: string) =>
    createForget(redis(), { queues: async () => [], now }).forget(user)
  return { clock, now, broken, jobs, outbox, ids, packAll, forget }
}

async function settleAll(outbox: ReturnType<typeof createOutbox>): Promise<void> {
  for (let some = await outbox.claim(100); some.length > 0; some = await outbox.claim(100))
    for (const entry of some)
      await outbox.settle(entry, { shown: { rev: entry.job.rev }, sure: true })
}

const alone = async () => (await redis().keys("{da}:job:*")).length

test("ended jobs are packed once they have come to rest, and read as before", async () => {
  const { clock, jobs, ids, packAll, broken } = await ended()
  const [before, words] = [
    await Promise.all(ids.map((id) => jobs.get(id))),
    await Promise.all(ids.map((id) => jobs.prompt(id))),
  ]
  await packAll()
  expect(await alone()).toBe(COUNT)

  clock.now += LONG_MS
  await packAll()
  expect(await alone()).toBe(0)
  for (const kind of ["prompt", "thread"]) expect(await redis().keys(`{da}:${kind}:*`)).toEqual([])
  const some = [0, 1, 10, COUNT - 1]
  for (const n of some) {
    expect(await jobs.get(ids[n] ?? "")).toEqual(before[n])
    expect(await jobs.prompt(ids[n] ?? "")).toEqual(words[n])
    expect(await jobs.inThread("C1", `1700000${n}.000001`)).toEqual(before[n])
  }
  const mine = await jobs.ofUser("UADA", 10)
  expect(mine.map(({ id }) => id)).toHaveLength(10)
  expect(await jobs.get("nosuchid22")).toBeUndefined()
  expect(await jobs.inThread("C2", "17000001.000001")).toBeUndefined()
  expect(broken).toEqual([])
})

test("a pack is gone no later than each of its jobs would have been", async () => {
  const { clock, packAll, jobs, ids } = await ended()
  clock.now += LONG_MS
  await redis().pexpire(keys.job(ids[7] ?? ""), KEEP_MS - 60_000)
  await packAll()
  const [pack = ""] = await redis().keys("{da}:kept-pack:*")
  expect(await redis().pttl(pack)).toBeLessThanOrEqual(KEEP_MS - 60_000)
  // What is gone reads as what was never there.
  await redis().del(pack)
  expect(await jobs.get(ids[0] ?? "")).toBeUndefined()
  expect(await jobs.ofUser("UADA", 10)).toEqual([])
})

test("nothing is packed in the first hour, in which processes of an older version read no packs", async () => {
  const { clock, now } = await ended()
  const careful = jobPacking(redis(), { restMs: REST_MS, afterMs: HOUR_MS, few: 250, now })
  await redis().set(keys.jobPacksFrom, String(clock.now + LONG_MS + 1))
  clock.now += LONG_MS
  while (await careful());
  expect(await alone()).toBe(COUNT)
  clock.now += 1
  while (await careful());
  expect(await alone()).toBe(0)
  await redis().del(keys.jobPacksFrom)
  await careful()
  expect(await redis().get(keys.jobPacksFrom)).toBe(String(clock.now + HOUR_MS))
})

test("a cancelled job stays what it is: its words are to be gone before it", async () => {
  const { clock, packAll } = await ended(COUNT, "cancelled")
  clock.now += LONG_MS
  await packAll()
  expect(await alone()).toBe(COUNT)
})

test("what changes while it is packed is not lost, and holds up no other", async () => {
  const { clock, jobs, ids, packAll } = await ended()
  clock.now += LONG_MS
  const changed = ids[12] ?? ""
  // The second time that packing asks for is that of its last step: what it packs was read by then.
  const moments = [() => {}, () => void redis().hset(keys.job(changed), "later", "3")]
  const now = () => {
    moments.shift()?.()
    return clock.now
  }
  await jobPacking(redis(), { restMs: REST_MS, afterMs: 0, few: 250, now })()
  expect(moments).toEqual([])
  await packAll()
  expect(await jobs.get(changed)).toMatchObject({ later: { rev: 3 } })
  expect(await alone()).toBeLessThanOrEqual(1)
})

test("one with something to say is not packed before it is said", async () => {
  const { clock, jobs, ids, packAll, outbox } = await ended()
  clock.now += LONG_MS
  const [talks = ""] = ids
  await redis().zadd(keys.outbox, clock.now, talks)
  await packAll()
  expect(await redis().keys("{da}:job:*")).toEqual([keys.job(talks)])
  await settleAll(outbox)
  clock.now += LONG_MS
  await packAll()
  expect(await alone()).toBe(0)
  expect(await jobs.get(talks)).toMatchObject({ ending: "refused" })
})

test("a packed job becomes a record again before it changes, words, thread and all", async () => {
  const { clock, now, jobs, ids, packAll } = await ended()
  clock.now += LONG_MS
  await packAll()
  const [first = ""] = ids
  const before = [await jobs.get(first), await jobs.prompt(first)]
  await createJobArchive(redis(), { now }).restore(first)
  expect(await redis().keys("{da}:job:*")).toEqual([keys.job(first)])
  expect(await redis().get(keys.thread("C1", "17000000.000001"))).toBe(first)
  expect(await redis().pttl(keys.job(first))).toBeGreaterThan(KEEP_MS - HOUR_MS)
  expect([await jobs.get(first), await jobs.prompt(first)]).toEqual(before)
})

test("a pack that cannot be read stops nothing but its own, and forgetting hears of it", async () => {
  const { clock, jobs, ids, packAll, broken, forget } = await ended()
  clock.now += LONG_MS
  await packAll()
  const [pack = ""] = await redis().keys("{da}:kept-pack:*")
  await redis().set(pack, "of another version", "KEEPTTL")
  expect(await jobs.get(ids[0] ?? "")).toBeUndefined()
  expect(broken).toEqual([pack])
  await expect(forget("UADA")).rejects.toThrow(/pack .* cannot be read/)
})

test("a pack that lost its end, as when somebody moves data by hand, gives its jobs back all the same", async () => {
  const { clock, now, jobs, ids, packAll } = await ended()
  clock.now += LONG_MS
  await packAll()
  const [pack = ""] = await redis().keys("{da}:kept-pack:*")
  await redis().persist(pack)
  const [first = ""] = ids
  const before = await jobs.get(first)
  await createJobArchive(redis(), { now }).restore(first)
  expect(await jobs.get(first)).toEqual(before)
  expect(await redis().pttl(keys.job(first))).toBeGreaterThan(0)
})

test("who asks to be forgotten is in no pack that lost its end either", async () => {
  const { clock, jobs, ids, packAll, forget } = await ended()
  clock.now += LONG_MS
  await packAll()
  const [pack = ""] = await redis().keys("{da}:kept-pack:*")
  await redis().persist(pack)
  await forget("UADA")
  expect(await jobs.prompt(ids[1] ?? "")).toBeUndefined()
  expect(await jobs.prompt(ids[0] ?? "")).toBeDefined()
})

test("who asks to be forgotten while jobs are packed is in no pack, and does not come back", async () => {
  const { clock, now, jobs, ids, packAll, forget } = await ended()
  clock.now += LONG_MS
  await Promise.all([packAll(), forget("UADA")])
  expect(await dumpRedis(redis())).not.toContain("canary of ada")
  const theirs = ids[1] ?? ""
  await createJobArchive(redis(), { now }).restore(theirs)
  expect(await jobs.prompt(theirs)).toBeUndefined()
  expect(await jobs.ofUser("UADA", 10)).toEqual([])
  expect(await jobs.prompt(ids[0] ?? "")).toMatchObject({
    words: expect.stringContaining("words of ben"),
  })
})
