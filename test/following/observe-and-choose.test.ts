import { describe, expect, test } from "vitest"
import { DocsError } from "../../src/docs-service/docs-error.ts"
import { nextStep, type StepName } from "../../src/following/choose-action.ts"
import { nextWait, observe } from "../../src/following/poll-jobs.ts"
import type { Message } from "../../src/slack/message-types.ts"
import { hashOfMessage } from "../../src/slack/write-to-slack.ts"
import { aJob, anAsk, followedJob, type JobFacts } from "../helpers/job.ts"

const policy = { minMs: 5000, maxMs: 60_000, giveUpAfterMs: 86_400_000 }
type Known = Parameters<typeof observe>[0]
const active: Known = { way: "creation", startedAt: 0 }
const FOLLOW: Known = { way: "message", startedAt: 0 }
const fault = (kind: DocsError["fault"], more = {}) =>
  new DocsError({ operation: "get job", fault: kind, ...more })
const see = (
  answer: Parameters<typeof observe>[1],
  job = active,
  now = 10_000,
  isPathRight = true,
) => observe(job, answer, policy, { now, random: 0.5, isPathRight })

describe("what an answer means for a job", () => {
  test.each([
    [{ status: "active" }, undefined],
    [{ status: "completed", prLink: "https://x/pull/1" }, "pull_request"],
    [{ status: "completed", prLink: undefined }, "no_pull_request"],
    [{ status: "failed" }, "failed"],
    [{ status: "archived" }, "archived"],
  ] as const)("%j", (answer, ending) => {
    expect(see(answer).ending).toBe(ending)
  })

  test("a link that was shown while the agent worked is the ending's, also if it is null then", () => {
    const prLink = "https://x/pull/1"
    const shown = { ...active, prLink }
    expect(see({ status: "completed" }, shown)).toMatchObject({ ending: "pull_request", prLink })
    const follow = { ...FOLLOW, prLink }
    expect(see({ status: "completed" }, follow, 5_000).ending).toBeUndefined()
    expect(see({ status: "completed" }, follow, 60_000).ending).toBe("pull_request")
  })

  test("two 404s in a row are a job that is gone; any answer in between forgives", () => {
    const missed = { ...active, misses: 1 }
    const first = see(fault("not_found"))
    expect(first).toMatchObject({ misses: 1 })
    expect(first.ending).toBeUndefined()
    expect(see(fault("not_found"), missed).ending).toBe("gone")
    expect(see({ status: "active" }, missed).misses).toBe(0)
  })

  test("404s at a path that never found a job end none", () => {
    const found = see(fault("not_found"), { ...active, misses: 9 }, 10_000, false)
    expect(found.ending).toBeUndefined()
  })

  test.each(["interrupted", "server_error", "rate_limited", "broken_body", "key_refused"] as const)(
    "%s ends nothing and waits long",
    (kind) => {
      const found = see(fault(kind))
      expect(found.ending).toBeUndefined()
      expect(found.waitMs).toBeGreaterThanOrEqual(45_000)
    },
  )

  test("Retry-After is honored", () => {
    expect(see(fault("rate_limited", { retryAfterMs: 300_000 })).waitMs).toBe(300_000)
  })

  test("after the timeout a job is lost, also while the service is away", () => {
    const late = policy.giveUpAfterMs + 1
    expect(see({ status: "active" }, active, late).ending).toBe("lost")
    expect(see(fault("server_error"), active, late).ending).toBe("lost")
    expect(see({ status: "failed" }, active, late).ending).toBe("failed")
  })

  test("a job that just got a message may still show its old ending", () => {
    expect(see({ status: "completed" }, FOLLOW, 5_000).ending).toBeUndefined()
    expect(see({ status: "completed" }, FOLLOW, 60_000).ending).toBe("no_pull_request")
    // It is asked for again as soon as it cannot be the old one any more.
    expect(see({ status: "completed" }, FOLLOW, 18_000)).toMatchObject({ waitMs: 2_000 })
  })

  test.each([
    ["was seen to be active after the message", { seenActive: true }, undefined],
    ["has another link than before", { prLink: "https://x/pull/1" }, "https://x/pull/2"],
  ] as const)("a job that %s has ended anew, however soon", (_, known, prLink) => {
    const follow = { ...FOLLOW, ...known }
    expect(see({ status: "failed", prLink }, follow, 3_000).ending).toBe("failed")
  })

  test("a job that turned active is remembered as such", () => {
    expect(see({ status: "active" }, FOLLOW, 3_000).isActiveAgain).toBe(true)
    expect(see({ status: "active" }).isActiveAgain).toBeUndefined()
  })
})

test("waits stay between the bounds and grow with the job's age", () => {
  expect(nextWait(0, policy, 0.5)).toBe(5000)
  expect(nextWait(100_000, policy, 0.5)).toBeGreaterThan(5000)
  expect(nextWait(10 * 86_400_000, policy, 0.5)).toBe(60_000)
  expect(nextWait(0, policy, 0)).toBeLessThan(nextWait(0, policy, 1))
})

describe("what to say next", () => {
  const asks = [anAsk({ isPrepared: true })]
  const text = (words: string): Message => ({ text: words, blocks: [] })
  const [before, now] = [text("before"), text("now")]
  const known = { asks, card: "1.0", cardHash: hashOfMessage(before) }
  const ended = { ...known, state: "ended", ending: "failed" } as const
  const { pull } = followedJob({ pull: { review: { id: "7", round: "round1", state: "due" } } })
  const told = { ts: "2.0", users: ["U1"], hash: hashOfMessage(before) }
  const toldAll = { ...ended, told }
  const bare = { asks, state: "ended", ending: "no_card" } as const
  const cancelled = { ...bare, ending: "cancelled" } as const
  const unfound = { ...cancelled, posting: "1" }
  const unsure = { ...ended, pull, posting: "review 7" }
  const [waits, unsaid] = [[anAsk({ id: "ask2" })], { users: [], hash: "" }]

  test.each<[what: string, JobFacts, card: Message, result: Message | undefined, StepName]>([
    ["first of all, who asks is looked up", {}, before, undefined, "prepare"],
    ["then the card comes", { asks }, before, undefined, "card"],
    ["then nothing while nothing changed", known, before, undefined, "none"],
    ["a change is an edit", known, now, undefined, "edit"],
    ["the closing reply goes before the last edit", ended, now, now, "result"],
    ["then the edit", toldAll, now, before, "edit"],
    ["then an edit of the reply", toldAll, before, now, "edit_result"],
    ["a withdrawal is shown, not said", { ...ended, ending: "cancelled" }, now, now, "edit"],
    ["that a job got no card is private", bare, now, now, "private"],
    ["and said once", { ...bare, told: unsaid }, now, now, "none"],
    ["a card in doubt is looked for, also after the end", unfound, now, now, "card"],
    ["cancelled without a card: nothing", cancelled, now, now, "none"],
    ["a review's post in doubt is first", unsure, now, now, "review"],
    ["who muted it sees progress", { ...known, muted: ["U1"] }, now, undefined, "edit"],
    ["what waited for the end", { ...toldAll, waiting: waits }, before, before, "next_round"],
    ["and waits for no edit", { ...toldAll, waiting: waits }, now, now, "next_round"],
    ["nor does the news of a review", { ...toldAll, pull }, now, now, "review"],
  ])("%s", (_, facts, card, result, step) => {
    expect(nextStep(aJob(facts), { card, result })).toBe(step)
  })
})
