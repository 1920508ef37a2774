import { describe, expect, test } from "vitest"
import { DocsError } from "../../src/errors/docs-error.ts"
import { outcomeOf } from "../../src/jobs/dispatch.ts"
import { nextStep } from "../../src/jobs/next-step.ts"
import { observe } from "../../src/jobs/observe.ts"
import { nextWait } from "../../src/jobs/poll-interval.ts"
import { aJob } from "../helpers/job.ts"

const policy = { minMs: 5000, maxMs: 60_000, timeoutMs: 86_400_000 }
const active = aJob({ state: "active", agentJobId: "j", startedAt: 0 })
const fault = (kind: DocsError["fault"], more = {}) =>
  new DocsError({ operation: "get job", fault: kind, ...more })
const see = (answer: Parameters<typeof observe>[1], job = active, now = 10_000, isGone = false) =>
  observe(job, answer, policy, { now, random: 0.5, isGone })

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

  test("a 404 is a miss until the job is gone; any answer in between forgives", () => {
    const first = see(fault("not_found"))
    expect(first).toMatchObject({ misses: 1 })
    expect(first.ending).toBeUndefined()
    expect(see(fault("not_found"), active, 10_000, true).ending).toBe("gone")
    expect(see({ status: "active" }, { ...active, misses: 1 }).misses).toBe(0)
  })

  test.each(["interrupted", "server_error", "rate_limited", "broken_body", "key_refused"] as const)(
    "%s ends nothing and waits long",
    (kind) => {
      const found = see(fault(kind))
      expect(found.ending).toBeUndefined()
      expect(found.waitMs).toBeGreaterThanOrEqual(45_000)
    },
  )

  test("Retry-After is honoured", () => {
    expect(see(fault("rate_limited", { retryAfterMs: 300_000 })).waitMs).toBe(300_000)
  })

  test("after the timeout a job is lost, also while the service is away", () => {
    const late = policy.timeoutMs + 1
    expect(see({ status: "active" }, active, late).ending).toBe("lost")
    expect(see(fault("server_error"), active, late).ending).toBe("lost")
    expect(see({ status: "failed" }, active, late).ending).toBe("failed")
  })

  test("a job that just got a message may still show its old ending", () => {
    const follow = aJob({ state: "active", follows: "j", startedAt: 0 })
    expect(see({ status: "completed" }, follow, 5_000).ending).toBeUndefined()
    expect(see({ status: "completed" }, follow, 60_000).ending).toBe("no_pull_request")
  })

  test("an ending is asked for again as soon as it cannot be the old one any more", () => {
    const follow = aJob({ state: "active", follows: "j", startedAt: 0 })
    expect(see({ status: "completed" }, follow, 18_000)).toMatchObject({ waitMs: 2_000 })
  })

  test.each([
    ["was seen to be active after the message", { isReactivated: true }, undefined],
    ["has another link than before", { prLink: "https://x/pull/1" }, "https://x/pull/2"],
  ])("a job that %s has ended anew, however soon", (_, known, prLink) => {
    const follow = aJob({ state: "active", follows: "j", startedAt: 0, ...known })
    expect(see({ status: "failed", prLink }, follow, 3_000).ending).toBe("failed")
  })

  test("that it turned active is remembered", () => {
    const follow = aJob({ state: "active", follows: "j", startedAt: 0 })
    expect(see({ status: "active" }, follow, 3_000).isReactivated).toBe(true)
    expect(see({ status: "active" }).isReactivated).toBeUndefined()
  })
})

test("waits stay between the bounds and grow with the job's age", () => {
  expect(nextWait(0, policy, 0.5)).toBe(5000)
  expect(nextWait(100_000, policy, 0.5)).toBeGreaterThan(5000)
  expect(nextWait(10 * 86_400_000, policy, 0.5)).toBe(60_000)
  expect(nextWait(0, policy, 0)).toBeLessThan(nextWait(0, policy, 1))
})

describe("what a failed creation means", () => {
  test.each([
    ["rate_limited", "put_back"],
    ["key_refused", "put_back"],
    ["forbidden", "put_back"],
    ["unreachable", "put_back"],
    ["bad_request", "refused"],
    ["not_found", "refused"],
    ["interrupted", "unknown"],
    ["server_error", "unknown"],
    ["broken_body", "unknown"],
  ] as const)("%s → %s", (kind, outcome) => {
    expect(outcomeOf(fault(kind)).kind).toBe(outcome)
  })
})

describe("what to say next", () => {
  const card = { card: "1.0" }
  const place = { place: 3, startsAt: 9, soon: false, paused: "" }
  test.each([
    ["the card comes first", aJob(), "card"],
    ["then nothing while nothing changed", aJob({ ...card, shown: { rev: 1 } }), "none"],
    ["a change is an edit", aJob({ ...card, rev: 2, shown: { rev: 1 } }), "edit"],
    [
      "the closing reply goes before the last edit",
      aJob({ ...card, state: "ended", ending: "failed", rev: 5, shown: { rev: 1 } }),
      "closing",
    ],
    [
      "then the edit",
      aJob({
        ...card,
        state: "ended",
        ending: "failed",
        closing: "2.0",
        rev: 5,
        shown: { rev: 1 },
      }),
      "edit",
    ],
    [
      "what the requester did is shown, not said",
      aJob({ ...card, state: "ended", ending: "cancelled", rev: 2, shown: { rev: 1 } }),
      "edit",
    ],
    [
      "that a job got no card is said privately",
      aJob({ state: "ended", ending: "no_card" }),
      "private",
    ],
    [
      "and once that was said, nothing more",
      aJob({ state: "ended", ending: "no_card", closing: "elsewhere" }),
      "none",
    ],
    [
      "a card in doubt is looked for, also when the job has ended",
      aJob({ state: "ended", ending: "cancelled", unsure: 1 }),
      "seek",
    ],
    [
      "what was cancelled before its card has nothing to say",
      aJob({ state: "ended", ending: "cancelled" }),
      "none",
    ],
    [
      "a muted thread still shows progress on the card",
      aJob({ ...card, quiet: true, state: "active", rev: 3 }),
      "edit",
    ],
    [
      "a muted thread is told of the ending",
      aJob({ ...card, quiet: true, state: "ended", ending: "failed" }),
      "closing",
    ],
  ] as const)("%s", (_, job, step) => {
    expect(nextStep(job, undefined, false)).toBe(step)
  })

  test("a waiting card is written again when its place moved", () => {
    const waiting = aJob({ ...card, shown: { rev: 1, place: 9 } })
    expect(nextStep(waiting, place, true)).toBe("edit")
    expect(nextStep(waiting, place, false)).toBe("none")
  })
})
