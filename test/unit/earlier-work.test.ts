import { describe, expect, test } from "vitest"
import { EARLIER_MAX, quoteEarlierWork, readEarlierWork } from "../../src/jobs/earlier-work.ts"
import type { Job } from "../../src/jobs/job.ts"
import type { Prompt } from "../../src/jobs/ports.ts"
import { aJob } from "../helpers/job.ts"

describe("what a new job is told about the work before it", () => {
  test("everything that was asked, oldest first, with what was quoted, and the pull request", () => {
    const requests = [
      { words: "write the guide", context: "> ada: see the ticket" },
      { words: "shorten it" },
      { words: "as ben says", context: "> ben: add an example" },
    ]
    expect(quoteEarlierWork({ requests, prLink: "https://git.example/1" })).toMatchInlineSnapshot(`
      "This continues earlier work. The first request was:
      > > ada: see the ticket
      > 
      > write the guide

      It was followed up, oldest first:

      > shorten it

      > > ben: add an example
      > 
      > as ben says
      Its pull request: https://git.example/1"
    `)
  })

  test("the first request is whole; of what followed the newest are kept", () => {
    const words = "x".repeat(EARLIER_MAX / 4)
    const later = Array.from({ length: 6 }, (_, n) => ({ words: `${n}${words}` }))
    const text = quoteEarlierWork({ requests: [{ words: "y".repeat(30_000) }, ...later] })
    expect(text).toContain("y".repeat(30_000))
    expect(text).toContain("The 3 oldest were left out.")
    expect([...text.matchAll(/^> (\d)x/gm)].map(([, n]) => n)).toEqual(["3", "4", "5"])
    expect(text.length).toBeLessThan(30_000 + EARLIER_MAX + 500)
  })

  test("of a context that is too long its newest lines are kept", () => {
    const context = Array.from({ length: 5_000 }, (_, n) => `> ada: point ${n}`).join("\n")
    const text = quoteEarlierWork({ requests: [{ words: "write", context }] })
    expect(text).toContain("> > ada: point 4999\n> \n> write")
    expect(text).not.toContain("point 1\n")
    expect(text.length).toBeLessThan(2 * EARLIER_MAX)
  })
})

describe("the requests of a thread", () => {
  const jobs = (...known: (Partial<Job> & { id: string; prompt?: Prompt })[]) => {
    const find = (id: string) => known.find((one) => one.id === id)
    return {
      get: async (id: string) => (find(id) ? aJob(find(id) ?? {}) : undefined),
      prompt: async (id: string) => find(id)?.prompt,
    }
  }
  const latest = aJob({ id: "c", first: "a", previous: "b" })
  const words = (text: string) => ({ prompt: { words: text } })

  test("are found back to the first, without those that were taken back", async () => {
    const store = jobs(
      { id: "a", prLink: "https://git.example/1", ...words("first") },
      { id: "x", first: "a", previous: "a", ending: "cancelled", ...words("no") },
      { id: "b", first: "a", previous: "x", ...words("second") },
      { id: "c", ...words("third") },
    )
    const { requests, prLink } = await readEarlierWork(store, latest)
    expect(requests.map((one) => one.words)).toEqual(["first", "second", "third"])
    expect(prLink).toBe("https://git.example/1")
  })

  test("the first is found also where one in between is forgotten", async () => {
    const store = jobs({ id: "a", ...words("first") }, { id: "c", ...words("third") })
    const { requests } = await readEarlierWork(store, latest)
    expect(requests.map((one) => one.words)).toEqual(["first", "third"])
  })

  test("a chain that bites its tail ends", async () => {
    const store = jobs(
      { id: "a", previous: "c", ...words("first") },
      { id: "c", ...words("third") },
    )
    expect((await readEarlierWork(store, latest)).requests).toHaveLength(2)
  })
})
