import { describe, expect, test } from "vitest"
import { jobCard } from "../../src/views/card.ts"
import { closingReply } from "../../src/views/endings.ts"
import { aJob } from "../helpers/job.ts"
import { jobThread, wordsOf } from "../helpers/job-thread.ts"
import { rendered } from "../helpers/rendered.ts"

/** The same thread in the words of the first version, counted in the same way. */
const FIRST_VERSION = {
  mention: { messages: 4, words: 62 },
  slash: { messages: 5, words: 72 },
} as const
const PULL = "https://github.com/acme/docs/pull/214"

test.each(["mention", "slash"] as const)(
  "a job by %s and its follow-up take a third fewer words than in the first version",
  (asked) => {
    const thread = jobThread(asked)
    const words = thread.map(wordsOf).reduce((all, of) => all + of)
    const first = FIRST_VERSION[asked]
    expect(thread.length).toBeLessThanOrEqual(first.messages)
    expect(words / first.words).toBeLessThanOrEqual(2 / 3)
  },
)

test.each(["mention", "slash"] as const)(
  "no fact of a job by %s is lost: who, what for, which pull request, and what to do with it",
  (asked) => {
    const [card, reply, followUp, again] = jobThread(asked).map(({ text }) => text)
    expect(card).toMatch(/^<@U0ADA00001> asked the docs agent: fix the quickstart/)
    expect(card).toContain("Pull request ready: acme/docs#214\nhttps://")
    expect(reply).toContain("Review it before merging. To change it, mention me here.")
    expect(followUp).toMatch(/Follow-up to acme\/docs#214[\s\S]*Pull request ready/)
    expect(again).toMatch(/^<@U0ADA00001> Pull request ready: acme\/docs#214\nhttps:/)
  },
)

describe("a card below the message that asked", () => {
  const words = "fix the quickstart:\nit needs Node 20.19, or 22 once that is out"
  const below = { asked: "1.0", thread: "1.0", card: "1.1" }

  test("says in one line which one it is about, and not who asked", () => {
    const card = rendered(jobCard(aJob({ ...below, state: "active" }), { words }).blocks)
    expect(card).toContain("> fix the quickstart: it needs Node 20.19…")
    expect(card).not.toContain("<@U1>")
  })

  test("says who asked, and all of it, where it runs an earlier job once more", () => {
    const retry = aJob({ ...below, state: "active", isRetry: true })
    const card = rendered(jobCard(retry, { words }).blocks)
    expect(card).toContain(`> ${words}`)
    expect(card).toContain("From <@U1>")
  })

  test("leaves the link to the closing reply, once that is there", () => {
    const ended = aJob({ ...below, state: "ended", ending: "pull_request", prLink: PULL })
    const card = (closing?: string) =>
      rendered(jobCard({ ...ended, ...(closing ? { closing } : {}) }, { words }).blocks)
    expect(card()).toContain("acme/docs#214")
    expect(card()).toContain("[View pull request]")
    // Where it could not be posted, the requester was told elsewhere.
    expect(card("elsewhere")).toContain("[View pull request]")
    expect(card("1.2")).toBe(":white_check_mark: *Pull request ready*")
  })

  test("keeps the request where nothing is replied", () => {
    const cancelled = aJob({ ...below, state: "ended", ending: "cancelled" })
    expect(rendered(jobCard(cancelled, { words }).blocks)).toContain("> fix the quickstart")
  })
})

test("a follow-up's reply repeats what to do only where the thread has not said it", () => {
  const job = {
    ...aJob({ state: "ended", prLink: PULL, first: "a" }),
    ending: "pull_request",
  } as const
  const reply = (facts: object) => closingReply({ ...job, ...facts }).text
  expect(reply({ follows: "agent-1", hadPull: true })).not.toContain("Review it")
  expect(reply({ follows: "agent-1" })).toContain("Review it before merging.")
  // A job of its own has a pull request of its own.
  expect(reply({ hadPull: true })).toContain("Review it before merging.")
  expect(reply({ follows: "agent-1", hadPull: true, pullState: "approved" })).toContain(
    "Ready to merge.",
  )
})
