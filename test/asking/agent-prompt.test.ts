import { describe, expect, test } from "vitest"
import {
  composeCreation,
  composeMessage,
  MAX_EARLIER,
  readEarlier,
} from "../../src/asking/agent-prompt.ts"
import type { Job } from "../../src/jobs/job.ts"
import type { Prompt, Prompts } from "../../src/jobs/request-record.ts"
import { quoteLines } from "../../src/lib/mark-quotes.ts"
import { aJob, anAsk, aRound, type JobFacts } from "../helpers/job.ts"

/** Returns a job with one request per round; the last round is the current one. */
function asked(prompts: readonly Prompt[], facts: JobFacts = {}): [Job, Prompts] {
  const rounds = prompts.map((_, n) =>
    aRound({ id: `r${n}`, asks: [anAsk({ id: `${n}` })], ending: "failed" }),
  )
  const words = Object.fromEntries(prompts.map((prompt, n) => [`${n}`, prompt]))
  return [aJob({ rounds, ...facts }), words]
}

const creation = (prompts: readonly Prompt[], facts: JobFacts = {}) =>
  composeCreation(...asked(prompts, facts), [])

describe("ASK-20: a creation that continues earlier work", () => {
  test("quotes everything that was asked, oldest first, with its context, and the pull request", () => {
    const prompts = [
      { words: "write the guide", context: quoteLines("ada: see the ticket") },
      { words: "shorten it" },
      { words: "as ben says", context: quoteLines("ben: add an example") },
    ]
    expect(creation(prompts, { prLink: "https://git.example/1" })).toMatchInlineSnapshot(`
      "as ben says

      > ben: add an example

      This continues earlier work. The first request was:
      > write the guide
      > 
      > > ada: see the ticket

      It was followed up, oldest first:

      > shorten it
      Its pull request: https://git.example/1"
    `)
  })

  test("keeps the first request whole, and the newest of what followed", () => {
    const long = "x".repeat(MAX_EARLIER / 4)
    const later = Array.from({ length: 6 }, (_, n) => ({ words: `${n}${long}` }))
    const text = creation([{ words: "y".repeat(30_000) }, ...later, { words: "now this" }])
    expect(text).toContain("y".repeat(30_000))
    expect(text).toContain("The 3 oldest were left out.")
    expect([...text.matchAll(/^> (\d)x/gm)].map(([, n]) => n)).toEqual(["3", "4", "5"])
    expect(text.length).toBeLessThan(30_000 + MAX_EARLIER + 500)
  })

  test("keeps the newest lines of a context that is too long", () => {
    const context = Array.from({ length: 5000 }, (_, n) => `ada: point ${n}`).join("\n")
    const text = creation([{ words: "write", context: quoteLines(context) }, { words: "now this" }])
    expect(text).toMatch(/^now this\n[\s\S]*> write\n> \n[\s\S]*> > ada: point 4999$/)
    expect(text).not.toContain("point 1\n")
    expect(text.length).toBeLessThan(2 * MAX_EARLIER)
  })
})

test("ASK-23: requests that go together are labelled with who asked; a single one is sent as it is", () => {
  const asks = [anAsk({ id: "a" }), anAsk({ id: "b" })]
  const words = {
    a: { words: "shorten the intro", speaker: "ada", context: quoteLines("cleo: too long") },
    b: { words: "fix the links", speaker: "ben" },
  }
  expect(composeMessage(aJob({ asks }), words)).toBe(
    "shorten the intro\n(asked by ada)\n\nben also asked:\nfix the links\n\n> cleo: too long",
  )
  expect(composeMessage(aJob({ asks: asks.slice(1) }), words)).toBe("fix the links")
})

test("of a thread that goes with several requests every part is quoted, and only once", () => {
  const asks = [anAsk({ id: "a" }), anAsk({ id: "b" })]
  const of = (until: string, from?: string, thread = "1.1"): Prompt => ({
    words: `until ${until}`,
    thread: quoteLines(`after ${from ?? "nothing"} until ${until}`),
    threadRange: { channel: "C1", thread, until, ...(from ? { from } : {}) },
  })
  const quoted = (a: Prompt, b: Prompt) =>
    composeMessage(aJob({ asks }), { a, b }).match(/(?<=> after ).*/g)
  // Both were asked before either was sent.
  expect(quoted(of("1.3"), of("1.5"))).toEqual(["nothing until 1.5"])
  // The second one was asked while the first was being sent, whose outcome is unknown.
  expect(quoted(of("1.3"), of("1.5", "1.3"))).toEqual(["nothing until 1.3", "1.3 until 1.5"])
  // The second one came later, but about an earlier message.
  expect(quoted(of("1.5"), of("1.3"))).toContain("nothing until 1.5")
  // The second one was asked in another thread.
  const other = of("1.5", undefined, "1.2")
  expect(quoted(of("1.3"), other)).toEqual(["nothing until 1.3", "nothing until 1.5"])
})

test("a job of its own quotes neither what still waits in the other one nor what was cancelled there", () => {
  const [job, words] = asked([{ words: "now this" }])
  const [first, said] = asked([{ words: "write the guide" }, { words: "add an example" }])
  const [guide, example] = first.rounds
  const quoted = (facts: JobFacts) =>
    composeCreation(job, words, [{ job: aJob({ ...first, ...facts }), prompts: said }])
  const waiting = { rounds: guide ? [guide] : [], waiting: example?.asks ?? [] }
  expect(quoted({ state: "active", ...waiting })).toMatch(/^now this\n[\s\S]*> write the guide$/)
  expect(quoted({ state: "ended" })).toMatch(/guide[\s\S]*> add an exam/)
  expect(quoted({ state: "ended", ...waiting, ending: "cancelled" })).not.toMatch(/guide|example/)
})

test("the jobs that one carries on are read back to the first, oldest first, or to where one is gone", async () => {
  const ids = async (...jobs: Job[]) => {
    const find = async (id: string) => {
      const job = jobs.find((one) => one.id === id)
      return job && { now: 0, job }
    }
    const store = { find, promptsOf: async () => ({}) }
    const earlier = await readEarlier(store, aJob({ id: "c", continuesJob: "b" }))
    return earlier.map(({ job }) => job.id)
  }
  expect(await ids(aJob({ id: "a" }), aJob({ id: "b", continuesJob: "a" }))).toEqual(["a", "b"])
  expect(await ids(aJob({ id: "a" }))).toEqual([])
})
