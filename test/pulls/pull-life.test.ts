import { describe, expect, test } from "vitest"
import { afterPoll, PULL_INTERVALS } from "../../src/pulls/github-schedule.ts"
import type { PullFacts } from "../../src/pulls/pull-state-and-activity.ts"
import type { PullAnswer } from "../../src/pulls/read-pull-request.ts"
import { aRound, followedJob } from "../helpers/job.ts"

const DAY_MS = 86_400_000
const OPEN: PullFacts = { state: "open", touchedAt: 0 }
const intervals = PULL_INTERVALS
const see = (answer: PullAnswer, now = 1000, job = followedJob(), watched = 1) =>
  afterPoll(job, answer, { now, watched }, intervals)
const facts = (more: Partial<PullFacts> = {}): PullAnswer => ({
  kind: "facts",
  facts: { ...OPEN, ...more },
})
const request = (id: string, by = "ben") => facts({ state: "changes_requested", review: id, by })

describe("what people see of a pull request", () => {
  test("is what GitHub says, as of then", () => {
    const { pull } = see(facts({ state: "merged", by: "ben" }))
    expect(pull).toMatchObject({ state: "merged", by: "ben", lookedAt: 1000, failures: 0 })
  })

  test("a size and a title are stored, and so is the first look of a round; the same again is not", () => {
    const size = { of: "abc", files: 3, added: 45, removed: 9, names: ["a.md"] }
    const first = see(facts({ title: "Fix it", size }))
    expect(first).toMatchObject({ isChanged: true, pull: { title: "Fix it", size } })
    const job = followedJob({ pull: first.pull })
    expect(see(facts({ title: "Fix it", size }), 2000, job).isChanged).toBe(false)
    const anew = followedJob({ pull: { ...first.pull, since: 1500 } })
    expect(see(facts({ title: "Fix it", size }), 2000, anew).isChanged).toBe(true)
  })
})

describe("looks at a pull request", () => {
  const again = (ageMs: number, more: Partial<PullFacts> = {}) => see(facts(more), ageMs).againMs

  test("begin within a minute, come at least every ten minutes while it is open, and soon after a review or a closing", () => {
    expect(intervals.firstMs).toBeLessThan(60_000)
    expect(again(0)).toBeLessThanOrEqual(60_000)
    expect(again(30 * 60_000)).toBeLessThanOrEqual(60_000)
    expect(again(10 * DAY_MS)).toBeLessThan(10 * 60_000)
    expect(again(5 * DAY_MS + 1000, { touchedAt: 5 * DAY_MS })).toBeLessThanOrEqual(60_000)
    expect(again(60_000, { state: "closed" })).toBe(20_000)
    expect(again(3_600_000, { state: "closed" })).toBeLessThan(2 * 60_000)
    expect(again(10 * DAY_MS, { state: "closed" })).toBe(4 * 3_600_000)
  })

  test("are further apart the more pull requests are watched, and never more than 90 a minute", () => {
    const wait = (watched: number) => see(facts(), 0, followedJob(), watched).againMs
    expect([1, 10, 100, 2000].map(wait)).toEqual([20_000, 20_000, 70_000, 1_400_000])
  })

  test.each([
    ["after thirty days", facts(), 30 * DAY_MS],
    ["after thirty days without an answer", { kind: "later" }, 30 * DAY_MS],
    ["once it is merged", facts({ state: "merged" }), 1000],
  ] as const)("end %s", (_, answer, now) => {
    expect(see(answer, now).againMs).toBe("done")
  })

  test("without an answer come later and later, and not before GitHub allows", () => {
    const wait = (failures: number) =>
      see({ kind: "later" }, 1000, followedJob({ pull: { failures } }))
    expect([0, 1, 2].map((n) => wait(n).againMs)).toEqual([30_000, 60_000, 120_000])
    expect(wait(9).againMs).toBeLessThan(10 * 60_000)
    expect(see({ kind: "later", pauseMs: 900_000 }).againMs).toBe(900_000)
    expect(wait(1)).toMatchObject({ pull: { failures: 2 } })
  })
})

/** Facts of a job in its second round. */
const SECOND = { rounds: [aRound({ ending: "pull_request" }), aRound({ id: "round2" })] }

describe("a review that requests changes", () => {
  const told = (state: "due" | "posted" | "addressed", round = "round1") => ({
    review: { id: "5", state, round },
  })

  test.each([
    ["is due", {}, { id: "5", state: "due", round: "round1" }],
    ["waits for the end of the round", { state: "active" }, undefined],
    ["is not due twice", { pull: told("posted") }, { id: "5", state: "posted", round: "round1" }],
    [
      "is not due again in the next round",
      { ...SECOND, pull: told("addressed") },
      { id: "5", state: "addressed", round: "round1" },
    ],
  ] as const)("%s", (_, job, review) => {
    const found = see(request("5"), 1000, followedJob(job)).pull.review
    if (review) expect(found).toMatchObject(review)
    else expect(found).toBeUndefined()
  })

  test("is read again once the round has ended, although GitHub says nothing new by then", () => {
    const etags = { pull: "p", reviews: "r" }
    const answer: PullAnswer = { kind: "facts", facts: { ...OPEN, review: "5" }, etags }
    const running = see(answer, 1000, followedJob({ state: "active" }))
    expect(running.pull.etags).toBeUndefined()
    expect(see(answer, 2000, followedJob({ pull: running.pull })).pull.etags).toEqual(etags)
  })

  test.each([
    ["posted", 1, { id: "6", state: "posted", round: "round1" }],
    ["addressed", 1, { id: "6", state: "due", round: "round1" }],
    ["due", 1, { id: "6", state: "due", round: "round1" }],
    ["posted", 2, { id: "6", state: "due", round: "round2" }],
  ] as const)("after one that is %s, in round %i another", (state, round, review) => {
    const job = followedJob({ ...(round === 2 ? SECOND : {}), pull: told(state) })
    expect(see(request("6", "cleo"), 1000, job).pull.review).toEqual(review)
  })

  test("an older one that was addressed as well is not due once the newer one is settled", () => {
    const pull = {
      ...told("addressed"),
      addressed: ["4", "5"].map((review) => ({ review, ask: "ask1" })),
    }
    const found = (id: string) => see(request(id), 1000, followedJob({ ...SECOND, pull })).pull
    expect(found("4").review).toEqual(pull.review)
    expect(found("6").review).toMatchObject({ id: "6", state: "due" })
  })

  test("a review that is dismissed before it was posted is never posted", () => {
    expect(see(facts(), 1000, followedJob({ pull: told("due") })).pull.review).toBeUndefined()
    const merged = facts({ state: "merged" })
    expect(see(merged, 1000, followedJob({ pull: told("due") })).pull.review).toBeUndefined()
  })
})
