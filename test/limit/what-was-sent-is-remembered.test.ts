import { appendFile, readdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { KNOWN_MS, OutsideMemory } from "../../src/limit/memory-outside-redis.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"

const fail = (error: unknown) => {
  throw error
}
const open = (path: string) => new OutsideMemory(path, fail)
const sent = (n: number, at: number) => ({
  queue: "q",
  slot: `job${n}:t${n} U1`,
  token: `t${n}`,
  job: `job${n}`,
  round: `r${n}`,
  at,
})

test("two workers of one machine write one folder, and the next knows what both sent and had no effect", async () => {
  const path = await temporaryFolder()
  const workers = [open(path), open(path)]
  await Promise.all(
    workers.flatMap((one, w) => [0, 1, 2].map((n) => one.sending(sent(10 * w + n, n)))),
  )
  await workers[1]?.hadNoEffect(sent(11, 1))
  // Half a line, as a crash leaves it.
  await appendFile(join(path, "sent", "0.log"), '{"queue":"q","sl')
  const known = (await open(path).sent(1000)).map(({ job }) => job).toSorted()
  expect(known).toEqual(["job0", "job1", "job10", "job12", "job2"])
  expect((await open(path).head()).file).toBe((await workers[0]?.head())?.file)
})

test("a mark is kept for the last few Redis, and what is older than a day leaves the folder", async () => {
  const path = await temporaryFolder()
  const now = 10 * KNOWN_MS
  await open(path).sending(sent(1, 0))
  await open(path).sending(sent(2, now))
  for (const id of ["a", "b", "c", "d", "e", "a"]) await open(path).mark({ id, at: now })
  const { marks } = await open(path).head()
  expect(marks.map(({ id }) => id)).toEqual(["a", "e", "d", "c"])
  expect(await readdir(join(path, "sent"))).not.toContain("0.log")
  expect((await open(path).sent(now)).map(({ job }) => job)).toEqual(["job2"])
})

test("workers that tidy the folder at once lose nothing that others write", async () => {
  const now = 10 * KNOWN_MS
  for (let round = 0; round < 10; round += 1) {
    const path = await temporaryFolder()
    for (const n of [97, 98, 99]) await open(path).sending(sent(n, 0))
    const writer = open(path)
    const [tidy, write] = [
      async () => {
        for (const id of ["a", "b", "c"]) {
          // Each tidies once it has something old to delete.
          await writer.sending(sent(99, 0))
          await open(path).mark({ id, at: now })
        }
      },
      async (from: number) => {
        for (let n = from; n < from + 10; n += 1) await open(path).sending(sent(n, now))
      },
    ]
    await Promise.all([tidy(), tidy(), tidy(), write(10), write(20)])
    const known = (await open(path).sent(now)).map(({ job }) => job)
    expect(known).toHaveLength(20)
  }
})

test("without a folder, a worker knows its own marks, and nothing fails", async () => {
  const none = new OutsideMemory(undefined, fail)
  await none.sending(sent(1, 0))
  await none.mark({ id: "a", at: 5 })
  expect((await none.head()).marks).toEqual([{ id: "a", at: 5 }])
  expect(await none.sent(0)).toEqual([])
})
