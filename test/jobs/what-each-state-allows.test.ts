import { describe, expect, test } from "vitest"
import { followedUp, lookedAgain, nextRound, retried } from "../../src/jobs/begin-round.ts"
import { cancelled } from "../../src/jobs/end-round.ts"
import type { Job } from "../../src/jobs/job.ts"
import type { Ending } from "../../src/jobs/round-record.ts"
import { currentAsks, currentRound, MAX_ROUND_BYTES, quotedAsks } from "../../src/jobs/rounds.ts"
import { type AttemptOutcome, polled, remembered, settled } from "../../src/jobs/send-round.ts"
import { aJob, anAsk, becomes, rerun } from "../helpers/job.ts"

const NOW = 10_000
const asks = [anAsk({ isPrepared: true })]
const QUEUED = aJob({ asks, card: "1.1", mayStartAt: 6000 })
const CREATING = aJob({ asks, card: "1.1", state: "creating", grant: "token" })
const ACTIVE = aJob({ asks, card: "1.1", state: "active", agentJobId: "agent", startedAt: 7000 })
const told = { ts: "1.2", users: ["U1"], hash: "" }
const over = (ending: Ending) => aJob({ ...ACTIVE, state: "ended", ending, endedAt: 9000, told })
const UNTOLD = aJob({ ...ACTIVE, state: "ended", ending: "pull_request", endedAt: 9000 })

describe("whoever asked may take a request back until it is sent", () => {
  test("an admin's own follow-up, where they have one, and otherwise everybody's", () => {
    const [own, others] = ["U9", "U2"].map((user) => anAsk({ user, id: user }))
    const of = (...waiting: (typeof own)[]) => {
      const job = { ...ACTIVE, waiting } as Job
      return cancelled(job, { mayCancel: () => true, by: "U9", now: NOW })
    }
    expect(of(own, others)).toMatchObject({ forget: ["U9"] })
    expect(of(others)).toMatchObject({ forget: ["U2"] })
  })
  test("run again by one of several: who did so may undo it, and everybody's words stay", () => {
    const both = aJob({ ...over("failed"), asks: [...asks, anAsk({ user: "U2", id: "by U2" })] })
    const again = becomes(both, rerun(both, "U2", NOW))
    const by = (user: string) =>
      cancelled(again, { mayCancel: (ask) => ask.user === user, by: user, now: NOW })
    expect(becomes(again, by("U2"))).toMatchObject({ state: "ended", rounds: both.rounds })
    expect(by("U2")).toMatchObject({ forget: [] })
    expect(currentAsks(becomes(again, by("U1")))).toMatchObject([{ user: "U2" }])
    expect(by("U3")).toBe("not_yours")
  })
})

describe("what comes of a creation is written by the holder of its grant alone", () => {
  const ended = (ending: Ending) => ({ state: "ended", rounds: [{ ending }] })
  const settle = (job: Job, outcome: AttemptOutcome, token = "token") =>
    settled(job, { token, outcome, pollMs: 1000, now: NOW })
  test.each<[AttemptOutcome, set: object, slot?: "back" | "arrived"]>([
    [{ kind: "created", agentJobId: "agent" }, { state: "active", agentJobId: "agent" }, "arrived"],
    [{ kind: "put_back", reason: "outage" }, { state: "queued", place: undefined }, "back"],
    [{ kind: "refused", detail: "too vague" }, ended("refused"), "back"],
    [{ kind: "not_allowed" }, ended("not_allowed"), "back"],
    [{ kind: "unreadable" }, ended("unreadable"), "back"],
    // A job may have been created.
    [{ kind: "unknown", detail: "reset" }, ended("unknown")],
  ])("%j", (outcome, set, slot) => {
    expect(settle(CREATING, outcome)).toMatchObject({ set })
    expect(settle(CREATING, outcome)?.slot).toBe(slot)
  })
  test("whoever waited behind an unknown outcome is told of it; whoever asks after it is served", () => {
    const waited = anAsk({ user: "U2", id: "waited" })
    const job = aJob({ ...CREATING, waiting: [waited] })
    const end = becomes(job, settle(job, { kind: "unknown", detail: "reset" }))
    expect(currentAsks(end)).toMatchObject([{ id: "ask1" }, { id: "waited" }])
    expect(end.waiting).toEqual([])

    const later = aJob({ ...over("unknown"), waiting: [waited] })
    expect(nextRound(later, { hasMessages: true, now: NOW })).toMatchObject({
      set: { state: "queued", rounds: [{}, { asks: [waited] }], waiting: [] },
    })
  })
  test("what waited stays behind what was turned away, if both are too long for one message", () => {
    const long = { bytes: MAX_ROUND_BYTES - 1 }
    const waiting = [anAsk({ id: "waited", ...long })]
    const job = aJob({ ...CREATING, asks: [anAsk(long)], waiting })
    expect(becomes(job, settle(job, { kind: "put_back" })).waiting).toEqual(waiting)
  })
  test("what waits stands in the order in which it was said, whichever event came first", () => {
    const say = (job: Job, ts: string) => {
      const ask = anAsk({ ts, id: ts })
      return becomes(job, followedUp(job, { ask, hasMessages: true, now: NOW }))
    }
    const { waiting } = say(say(ACTIVE, "1795400770.000200"), "1795400770.000100")
    expect(waiting.map(({ id }) => id)).toEqual(["1795400770.000100", "1795400770.000200"])
  })
  test("a process that died is spoken for from its grant on", () => {
    const change = remembered(QUEUED, { token: "token", round: "round1" })
    expect(change).toMatchObject({ set: { state: "creating", grant: "token" } })
    expect(remembered(ACTIVE, { token: "token", round: "round1" })).toBeUndefined()
  })
})

test("an answer about a job that is not under way changes nothing", () => {
  const found = { misses: 0, waitMs: 1000, ending: "failed", now: NOW } as const
  for (const job of [QUEUED, CREATING, over("lost")]) expect(polled(job, found)).toBeUndefined()
  expect(polled(ACTIVE, found)).toMatchObject({
    set: { state: "ended", rounds: [{ ending: "failed" }] },
  })
})

describe("one more request", () => {
  const ask = anAsk({ id: "ask2", user: "U2", at: NOW })
  const more = (job: Job, hasMessages = true) => followedUp(job, { ask, hasMessages, now: NOW })
  test("joins what is queued, and waits while something is done", () => {
    expect(currentAsks(becomes(QUEUED, more(QUEUED)))).toMatchObject([{}, ask])
    for (const job of [CREATING, ACTIVE, UNTOLD]) {
      expect(becomes(job, more(job)).waiting).toEqual([ask])
      expect(more(job)).not.toHaveProperty("set.state")
    }
  })
  test("is refused where fifty wait already, or more than one message holds, with it or for it", () => {
    const fifty = Array.from({ length: 50 }, (_, n) => anAsk({ id: `${n}` }))
    const long = [anAsk({ bytes: MAX_ROUND_BYTES - 10, fileBytes: 5 })]
    for (const [asks, refusal] of [
      [fifty, "too_many"],
      [long, "too_long"],
    ] as const) {
      const queued = aJob({ ...QUEUED, asks })
      const active = aJob({ ...ACTIVE, waiting: asks })
      const wish = { ask: { ...ask, bytes: 6 }, hasMessages: true, now: NOW }
      expect([followedUp(queued, wish), followedUp(active, wish)]).toEqual([refusal, refusal])
      const fits = aJob({ ...active, waiting: asks.slice(1) })
      expect(followedUp(fits, wish)).toHaveProperty("set")
    }
  })
  test("what was taken back with a first round is never sent, nor quoted by what waited with it", () => {
    const waiting = ["U1", "U2"].map((user) => anAsk({ user, id: `by ${user}` }))
    const job = aJob({ ...QUEUED, waiting })
    const mayCancel = ({ user }: { user: string }) => user === "U1"
    const change = cancelled(job, { mayCancel, now: NOW })
    expect(change).toMatchObject({ forget: ["by U1"] })
    const ended = becomes(job, change)
    const next = becomes(ended, nextRound(ended, { hasMessages: true, now: NOW }))
    expect(currentAsks(next)).toMatchObject([{ id: "by U2" }])
    expect(next.user).toBe("U2")
    expect(quotedAsks(next)).toEqual([])
  })
  test("waits on until the end of the round before is told", () => {
    const next = (job: Job) =>
      nextRound({ ...job, waiting: [ask] }, { hasMessages: true, now: NOW })
    expect(next(UNTOLD)).toBeUndefined()
    expect(next(over("pull_request"))).toMatchObject({ set: { state: "queued" } })
  })
  test("starts a round as a message where there is a pull request, else as a creation", () => {
    const way = (job: Job) => currentRound(becomes(job, more(job))).way
    const ready = { ...over("pull_request"), prLink: "https://github.com/acme/docs/pull/1" }
    expect(way(ready)).toBe("message")
    for (const state of ["draft", "approved", "changes_requested"] as const)
      expect(way({ ...ready, pull: { state } } as Job)).toBe("message")
    expect(way(over("failed"))).toBe("creation")
    expect(way(aJob({ ...ready, ending: "unknown", way: "message" }))).toBe("message")
  })
  test("is a job of its own where the pull request is over or its update failed, or there are no messages", () => {
    const prLink = "https://github.com/acme/docs/pull/1"
    expect(more(aJob({ ...over("failed"), prLink, way: "message" }))).toBe("new_job")
    for (const state of ["merged", "closed"] as const) {
      expect(more({ ...over("pull_request"), pull: { state } } as Job)).toBe("new_job")
      const failed = { ...over("failed"), pull: { state } } as Job
      expect(retried(failed, { user: "U1", now: NOW })).toBe("new_job")
    }
    expect(more(over("pull_request"), false)).toBe("new_job")
  })
  test("goes into one new job with what already waits", () => {
    const job = { ...over("pull_request"), waiting: [anAsk({ id: "waits" })] }
    expect(more(job, false)).toMatchObject({ set: { waiting: [{ id: "waits" }, ask] } })
  })
  test("makes a conversation no longer than a record may be: the first and the newest rounds stay", () => {
    let job = over("failed")
    const forgotten: string[] = []
    for (let n = 2; n <= 40; n += 1) {
      const change = followedUp(job, { ask: anAsk({ id: `a${n}` }), hasMessages: true, now: n })
      forgotten.push(...((typeof change === "object" && change.forget) || []))
      job = aJob({ ...becomes(job, change), state: "ended", ending: "failed", told })
    }
    expect(job.rounds).toHaveLength(30)
    expect(job.rounds[0]).toEqual(over("failed").rounds[0])
    expect(job.rounds[1]?.asks).toMatchObject([{ id: "a12" }])
    expect(forgotten).toEqual(Array.from({ length: 10 }, (_, n) => `a${n + 2}`))
  })
})

test.each([
  ["failed", true, false],
  ["archived", true, false],
  ["refused", true, false],
  ["unknown", true, false],
  ["cancelled", true, false],
  ["gone", true, true],
  ["no_pull_request", true, true],
  ["lost", true, true],
  ["pull_request", false, false],
  ["no_card", false, false],
] as const)("after %s: run again %s, look again %s", (ending, runs, looks) => {
  const job = over(ending)
  expect(retried(job, { user: "U1", now: NOW }) !== undefined).toBe(runs)
  expect(lookedAgain(job, { user: "U1", now: NOW }) !== undefined).toBe(looks)
})
