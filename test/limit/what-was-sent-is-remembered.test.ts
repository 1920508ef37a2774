import { appendFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { jobKeys, queueKeys } from "../../src/jobs/job-keys.ts"
import { KNOWN_MS, OutsideMemory } from "../../src/limit/memory-outside-redis.ts"
import { RoundStarter } from "../../src/limit/start-rounds.ts"
import { useRedis } from "../helpers/redis.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"
import { accepted, openMemory, openQueue, PROJECT } from "../helpers/waiting.ts"

const sent = (n: number, at: number) => ({
  queue: "q",
  token: `t${n}`,
  turnOf: "U1",
  job: `job${n}`,
  round: `r${n}`,
  at,
})

test("two workers of one machine write one folder, and the next knows what both sent and had no effect", async () => {
  const path = await temporaryFolder()
  const workers = [openMemory(path), openMemory(path)]
  await Promise.all(
    workers.flatMap((one, w) => [0, 1, 2].map((n) => one.sending(sent(10 * w + n, n)))),
  )
  await workers[1]?.hadNoEffect(sent(11, 1))
  // Half a line, as a crash leaves it.
  await appendFile(join(path, "sent", "0.log"), '{"queue":"q","sl')
  await workers[0]?.sending(sent(3, 3))
  const known = (await openMemory(path).sent(1000)).map(({ job }) => job).toSorted()
  expect(known).toEqual(["job0", "job1", "job10", "job12", "job2", "job3"])
  expect((await openMemory(path).head()).file).toBe((await workers[0]?.head())?.file)
})

test("a line of another version is reported and not counted, half a line is passed over", async () => {
  const path = await temporaryFolder()
  await openMemory(path).sending(sent(1, 0))
  await openMemory(path).mark({ id: "a", at: 0 })
  const file = join(path, "sent", "0.log")
  await appendFile(file, `${JSON.stringify({ v: 2, grant: "t2", at: 0 })}\n{"v":1,"que`)
  const broken: string[] = []
  const next = new OutsideMemory(path, vi.fn(), (of) => void broken.push(of))
  expect((await next.sent(1000)).map(({ job }) => job)).toEqual(["job1"])
  expect(broken).toEqual([file])
})

test("a mark is kept for the last few Redis, and what is older than a day leaves the folder", async () => {
  const path = await temporaryFolder()
  const now = 10 * KNOWN_MS
  await openMemory(path).sending(sent(1, 0))
  await openMemory(path).sending(sent(2, now))
  for (const id of ["a", "b", "c", "d", "e", "a"]) await openMemory(path).mark({ id, at: now })
  const { marks } = await openMemory(path).head()
  expect(marks.map(({ id }) => id)).toEqual(["a", "e", "d", "c"])
  expect(await readdir(join(path, "sent"))).not.toContain("0.log")
  expect((await openMemory(path).sent(now)).map(({ job }) => job)).toEqual(["job2"])
})

test("workers that tidy the folder at once lose nothing that others write", async () => {
  const now = 10 * KNOWN_MS
  for (let round = 0; round < 10; round += 1) {
    const path = await temporaryFolder()
    for (const n of [97, 98, 99]) await openMemory(path).sending(sent(n, 0))
    const writer = openMemory(path)
    const [tidy, write] = [
      async () => {
        for (const id of ["a", "b", "c"]) {
          // Each tidies once it has something old to delete.
          await writer.sending(sent(99, 0))
          await openMemory(path).mark({ id, at: now })
        }
      },
      async (from: number) => {
        for (let n = from; n < from + 10; n += 1) await openMemory(path).sending(sent(n, now))
      },
    ]
    await Promise.all([tidy(), tidy(), tidy(), write(10), write(20)])
    const known = (await openMemory(path).sent(now)).map(({ job }) => job)
    expect(known).toHaveLength(20)
  }
})

test("without a folder, a worker knows its own marks, and nothing fails", async () => {
  const none = openMemory(undefined)
  await none.sending(sent(1, 0))
  await none.mark({ id: "a", at: 5 })
  expect((await none.head()).marks).toEqual([{ id: "a", at: 5 }])
  expect(await none.sent(0)).toEqual([])
})

const redis = useRedis()
const { creating, log, pause } = queueKeys(PROJECT)

const slots = () => openQueue(redis()).slots

/** Grants a request whose creation is still in progress. */
async function inTheAir() {
  const queue = openQueue(redis())
  await queue.ask("U1")
  return queue.inTheAir()
}

const counted = () => redis().zcard(log)
const inFlight = () => redis().zcard(creating)

test("a job whose record is gone while its creation is in the air keeps its slot, and the others wait as long as the service said", async () => {
  const grant = await inTheAir()
  await redis().del(jobKeys.record(grant.job.id))
  const busy = { kind: "put_back", reason: "rate_limited", pauseMs: 5000 } as const
  await slots().settle(grant, grant.token, busy)
  expect(await counted()).toBe(1)
  expect(await redis().hmget(pause, "reason", "tries")).toEqual(["rate_limited", "1"])
})

test("an answer that comes twice gives back one slot, not that of the next try", async () => {
  const grant = await inTheAir()
  const late = { kind: "put_back" } as const
  await slots().settle(grant, grant.token, late)
  await slots().grant(PROJECT, "another token")
  await slots().settle(grant, grant.token, late)
  expect(await counted()).toBe(1)
  expect(await inFlight()).toBe(1)
})

test("LIM-15: a process that created its hour's jobs starts no more, though Redis lost the hour alone", async () => {
  const { slots: store, ask } = openQueue(redis(), { jobsPerHour: 3 })
  const process = new RoundStarter(store, { spacingMs: 0 })
  await ask("U1", 4)
  const next = () => process.next(PROJECT, accepted)
  expect([await next(), await next(), await next()]).toEqual(["ran", "ran", "ran"])
  // A replica that takes over may lack the last second.
  await redis().del(log)
  expect(await next()).toEqual({ waitMs: expect.any(Number) })
})

test("of two passes at once, one takes the last of the process's own hour and none waits for it", async () => {
  const { slots: store, ask } = openQueue(redis(), { jobsPerHour: 1 })
  const process = new RoundStarter(store, { spacingMs: 0 })
  await ask("U1", 3)
  const passes = [process.next(PROJECT, accepted), process.next(PROJECT, accepted)]
  expect((await Promise.all(passes)).filter((result) => result === "ran")).toHaveLength(1)
})
