import { expect } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { createJobStore } from "../../src/jobs/job-store.ts"
import { commit, type Op } from "../../src/store/commit.ts"
import { WAKE_CHANNEL } from "../../src/store/redis-keys.ts"
import { claim, giveBack } from "../../src/store/schedule-and-leases.ts"
import { csvSchedule, waitingCsvs } from "../../src/visitors/csv-queue.ts"
import { followedJob, keepJob } from "../helpers/job.ts"
import { useRedis } from "../helpers/redis.ts"
import { testIn } from "../helpers/test-bed.ts"
import { openQueue } from "../helpers/waiting.ts"

const redis = useRedis()
const test = testIn(leased)
const [SCHEDULE, RECORD] = ["{da}:work", "{da}:record:"]

async function leased() {
  const clock = { now: 1_000_000 }
  const store = { redis: redis(), now: () => clock.now }
  const write = (rev: string | undefined, ...ops: Op[]) =>
    commit(store, { record: `${RECORD}a`, rev, set: { v: "1" }, ops })
  const due = (inMs: number, onlyIfAbsent = false): Op => {
    return { do: "due", key: SCHEDULE, member: "a", inMs, onlyIfAbsent }
  }
  const take = async () => {
    const args = { limit: 1, leaseMs: 30_000, recordPrefix: RECORD }
    const [, lease, rows] = await claim(store, { schedule: SCHEDULE }, args)
    return { lease, rows }
  }
  await write(undefined, due(0))
  const { lease } = await take()
  const returned = (againMs: number | "done") =>
    giveBack(store, SCHEDULE, { id: "a", lease }, againMs)
  const inMs = async () => {
    const at = await redis().zscore(SCHEDULE, "a")
    return at === null ? undefined : Number(at) - clock.now
  }
  return { clock, store, write, due, take, giveBack: returned, inMs, lease }
}

// A note of 500 makes it due in 500 ms; one of ?500, which undoes no wait for Slack, only where nothing
// else does.
test.each([
  ["done", "0", 0],
  ["done", "500", 500],
  [60_000, "500", 500],
  [200, "500", 200],
  ["done", "?500", 500],
  [60_000, "?500", 60_000],
  [60_000, "?100 500 ?50", 500],
  ["done", "500 ?700", 500],
] as const)(
  "FOL-16: given back as %s, with a note of %s: in %i ms",
  async (againMs, notes, says) => {
    const h = await leased()
    for (const [n, note] of notes.split(" ").entries())
      await h.write(`${n + 1}`, h.due(Number(note.replace("?", "")), note.startsWith("?")))
    expect((await h.take()).rows).toEqual([])
    await h.giveBack(againMs)
    expect(await h.inMs()).toBe(says)
  },
)

test("without that it is done, and what was noted is not noted for ever", async (h) => {
  await h.write("1", h.due(0))
  await h.giveBack(0)
  const { rows, lease } = await h.take()
  expect(rows).toHaveLength(1)
  await giveBack(h.store, SCHEDULE, { id: "a", lease }, "done")
  expect(await h.inMs()).toBeUndefined()
  expect(await redis().keys("*again*")).toEqual([])
})

test("FOL-2: who takes a dead worker's lease over has read what was noted, and the dead one gives nothing back", async (h) => {
  await h.write("1", h.due(0))
  h.clock.now += 31_000
  expect((await h.take()).rows).toHaveLength(1)
  expect(await redis().keys("*again*")).toEqual([])
  await h.giveBack("done")
  expect(await h.inMs()).toBeGreaterThan(29_000)
})

test("a commit that gives it back knows what was written: it decides alone", async (h) => {
  await h.write("1", h.due(0))
  await h.write("2", { do: "give_back", key: SCHEDULE, member: "a", inMs: 700 })
  expect(await h.inMs()).toBe(700)
  expect(await redis().keys("*again*")).toEqual([])
})

test("a commit that was decided on older facts writes nothing", async (h) => {
  expect(await h.write("1", h.due(500))).toEqual(["done", ""])
  expect(await h.write("1", h.due(0))).toEqual(["stale", ""])
  expect(await redis().hget(`${RECORD}a`, "rev")).toBe("2")
})

test("half a character in what a commit notes does not keep it from being written", async (h) => {
  const prompt = "cut in the middle of \ud83d"
  const note = { do: "note", key: "{da}:audit", keepMs: 1000, fields: { prompt } } as const
  expect(await h.write("1", note)).toEqual(["done", ""])
})

test("a commit of who lost the lease writes nothing", async (h) => {
  const held = { key: SCHEDULE, member: "a", lease: h.lease }
  const write = (rev: string) => commit(h.store, { record: `${RECORD}a`, rev, lease: held })
  expect(await write("1")).toEqual(["done", ""])
  h.clock.now += 31_000
  await h.take()
  expect(await write("2")).toEqual(["lost", ""])
})

test("a commit whose answer was lost is sent again by the client, and written once", async (h) => {
  const evalsha = async (...args: Parameters<ReturnType<typeof redis>["evalsha"]>) => {
    await redis().evalsha(...args)
    return redis().evalsha(...args)
  }
  const resending = Object.assign(Object.create(redis()), { evalsha })
  const store = { ...h.store, redis: resending }
  expect(await commit(store, { record: `${RECORD}a`, rev: "1" })).toEqual(["done", ""])
  expect(await redis().hget(`${RECORD}a`, "rev")).toBe("2")
})

test("who sleeps hears of what becomes due sooner, and of nothing that leaves", async (h) => {
  await h.giveBack(60_000)
  const listener = redis().duplicate()
  const heard: string[] = []
  listener.on("message", (_, text) => heard.push(text))
  await listener.subscribe(WAKE_CHANNEL)
  await h.write("1", h.due(500))
  await expect.poll(() => heard).toEqual([`${SCHEDULE} 500`])
  await redis().zadd(SCHEDULE, 1, "first", 1_000_100, "second")
  await h.write("2", { do: "leave", key: SCHEDULE, member: "first" }, { do: "tell", what: "last" })
  await expect.poll(() => heard.slice(1)).toEqual(["last 0"])
  expect(await redis().zscore(SCHEDULE, "first")).toBeNull()
  listener.disconnect()
})

/** Opens the jobs of a store whose time stands still. `noted` is what could not be read or done. */
function openJobs() {
  const store = { redis: redis(), now: () => 1_000_000 }
  const noted: unknown[] = []
  const onBroken = (key: string) => void noted.push(key)
  const onFailed = (kind: string, { id }: { id: string }, error: unknown) =>
    void noted.push([kind, id, String(error)])
  const jobs = createJobStore(store, { delayMs: 0, onBroken, onFailed })
  const pass = () => jobs.eachDue("outbox", { limit: 1, leaseMs: 1000 }, async () => "done")
  return { store, jobs, noted, onBroken, pass }
}

test("a pass that finds nothing due waits for the first, whoever woke it", async () => {
  const { store, onBroken, pass } = openJobs()
  expect(await pass()).toBe(Number.POSITIVE_INFINITY)
  await redis().zadd(jobKeys.schedule("outbox"), 1_000_700, "a")
  expect(await pass()).toBe(700)
  await redis().zadd(csvSchedule, 1_000_300, "a")
  expect(await waitingCsvs(store, onBroken).claim(1000)).toBe(300)
})

test("more than a pass may take are taken at once by the next, also where one cannot be read", async () => {
  const { noted, pass } = openJobs()
  await redis().zadd(jobKeys.schedule("outbox"), 1, "a", 2, "b")
  for (const id of ["a", "b"]) await redis().hset(jobKeys.record(id), "v", "0")
  expect(await pass()).toBe(0)
  expect(await pass()).toBe(1001)
  expect(noted).toEqual(["a", "b"].map(jobKeys.record))
})

test("SAFE-6: a job whose work fails is named, stops no others, and comes again in a minute", async () => {
  const { jobs, noted } = openJobs()
  for (const id of ["a", "b"]) await keepJob(redis(), followedJob({ id }), ["sessions"])
  await jobs.eachDue("sessions", { limit: 2, leaseMs: 30_000 }, async ({ job }) => {
    if (job.id === "a") throw new Error("a bug")
    return "done"
  })
  expect(noted).toEqual([["sessions", "a", "Error: a bug"]])
  const due = await redis().zrange(jobKeys.schedule("sessions"), "0", "-1", "WITHSCORES")
  expect(due).toEqual(["a", "1060000"])
})

test("as many follow-ups as may wait in a thread can come at once, and none is refused", async () => {
  const { jobs, ask } = openQueue(redis())
  const [id = ""] = await ask("U1")
  const people = Array.from({ length: 50 }, (_, n) => `U${n}`)
  await Promise.all(
    people.map((user) => jobs.change(id, ({ job }) => ({ set: { muted: [...job.muted, user] } }))),
  )
  expect((await jobs.find(id))?.job.muted.toSorted()).toEqual(people.toSorted())
})
