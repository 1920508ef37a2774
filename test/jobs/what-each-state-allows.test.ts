import { describe, expect, test } from "vitest"
import type { CreationOutcome } from "../../src/jobs/creation-outcome.ts"
import type { Job } from "../../src/jobs/job.ts"
import {
  applied,
  cancelled,
  followedUp,
  lookedAgain,
  nextRound,
  polled,
  remembered,
  retried,
  settled,
} from "../../src/jobs/transitions.ts"
import { aJob, anAsk, rerun } from "../helpers/job.ts"

const NOW = 10_000
const asks = [anAsk({ isPrepared: true })]
const QUEUED = aJob({ asks, card: "1.1", mayStartAt: 6000 })
const CREATING = aJob({ asks, card: "1.1", state: "creating", grant: "token" })
const ACTIVE = aJob({ asks, card: "1.1", state: "active", agentJobId: "agent", startedAt: 7000 })
const result = { ts: "1.2", round: 1, users: ["U1"], hash: "" }
const over = (ending: NonNullable<Job["ending"]>) =>
  aJob({ ...ACTIVE, state: "ended", ending, endedAt: 9000, result })
const UNTOLD = aJob({ ...over("pull_request"), result: { ...result, round: 0 } })

describe("whoever asked may take a request back until it is sent", () => {
  const cancel = (job: Job) => cancelled(job, { mayCancel: () => true, now: NOW })
  test("queued: it ends, leaves its line, and its words are kept for a retry", () => {
    expect(cancel(QUEUED)).toMatchObject({
      set: { state: "ended", ending: "cancelled" },
      forget: [],
    })
  })
  test.each([
    ["creating", CREATING],
    ["active", ACTIVE],
    ["ended", over("failed")],
  ])("%s: it is too late", (_, job) => {
    expect(cancel(job)).toBe("too_late")
  })
  test("active, and another's follow-up waits: it is too late, and the other's stays", () => {
    const waiting = { ...anAsk({ user: "U2" }), id: "other", round: 2 }
    const job = { ...ACTIVE, asks: [...asks, waiting] }
    const mayCancel = ({ user }: { user: string }) => user === "U1"
    expect(cancelled(job, { mayCancel, now: NOW })).toBe("too_late")
    expect(cancelled(job, { mayCancel, id: "other", now: NOW })).toBe("not_yours")
  })
  test("an admin's own follow-up, where they have one, and otherwise everybody's", () => {
    const [own, others] = ["U9", "U2"].map((user) => ({ ...anAsk({ user }), id: user, round: 2 }))
    const of = (...waiting: (typeof own)[]) => {
      const job = { ...ACTIVE, asks: [...asks, ...waiting] } as Job
      return cancelled(job, { mayCancel: () => true, by: "U9", now: NOW })
    }
    expect(of(own, others)).toMatchObject({ forget: ["U9"] })
    expect(of(others)).toMatchObject({ forget: ["U2"] })
  })
  test("run again by one of several: who did so may undo it, and everybody's words stay", () => {
    const both = { ...over("failed"), asks: [...asks, { ...anAsk({ user: "U2" }), id: "by U2" }] }
    const again = applied(both, rerun(both, "U2", NOW) ?? {}, 0)
    const by = (user: string) =>
      cancelled(again, { mayCancel: (ask) => ask.user === user, by: user, now: NOW })
    const kept = [{ user: "U1" }, { user: "U2" }]
    const end = { state: "ended", ending: "failed", asks: kept }
    expect(by("U2")).toMatchObject({ set: end, forget: [] })
    expect(by("U1")).toMatchObject({ set: { asks: [{ user: "U2" }] } })
    expect(by("U3")).toBe("not_yours")
  })
  test("somebody else may not", () => {
    expect(cancelled(QUEUED, { mayCancel: () => false, now: NOW })).toBe("not_yours")
  })
})

describe("what comes of a creation is written by the holder of its grant alone", () => {
  const settle = (job: Job, outcome: CreationOutcome, token = "token") =>
    settled(job, { token, outcome, pollMs: 1000, now: NOW })
  test.each<[CreationOutcome, object]>([
    [{ kind: "created", agentJobId: "agent" }, { set: { state: "active", agentJobId: "agent" } }],
    [
      { kind: "put_back", reason: "outage" },
      { set: { state: "queued" }, slot: "back" },
    ],
    [
      { kind: "refused", detail: "too vague" },
      { set: { state: "ended", ending: "refused" }, slot: "back" },
    ],
    [{ kind: "not_allowed" }, { set: { ending: "not_allowed" }, slot: "back" }],
    [{ kind: "unknown", detail: "reset" }, { set: { state: "ended", ending: "unknown" } }],
  ])("%j", (outcome, change) => {
    expect(settle(CREATING, outcome)).toMatchObject(change)
  })
  test("an unknown outcome keeps its slot: a job may have been created", () => {
    expect(settle(CREATING, { kind: "unknown", detail: "reset" })).not.toHaveProperty("slot")
  })
  test("whoever waited behind an unknown outcome is told of it; whoever asks after it is served", () => {
    const first = anAsk({ isPrepared: true })
    const waited = { ...anAsk({ user: "U2" }), id: "waited", round: 2 }
    const end = settle({ ...CREATING, asks: [first, waited] }, { kind: "unknown", detail: "reset" })
    expect(end?.set?.asks?.map(({ round }) => round)).toEqual([1, 1])

    const told = { ...over("unknown"), asks: [first, waited] }
    expect(nextRound(told, { hasMessages: true, now: NOW })).toMatchObject({
      set: { state: "queued", round: 2 },
    })
  })
  test("whoever asked while it was turned away goes with it, before whoever asks later", () => {
    const waited = { ...anAsk({ user: "U2" }), id: "waited", round: 2 }
    const back = settle({ ...CREATING, asks: [anAsk(), waited] }, { kind: "put_back" })
    expect(back?.set?.asks?.map(({ id, round }) => [id, round])).toEqual([
      [anAsk().id, 1],
      ["waited", 1],
    ])
  })
  test("what waits stands in the order in which it was said, whichever event came first", () => {
    const say = (job: Job, ts: string) => {
      const { round: _, ...ask } = { ...anAsk({ ts }), id: ts }
      const change = followedUp(job, { ask, hasMessages: true, now: NOW })
      return typeof change === "string" ? job : aJob({ ...job, ...change.set } as Partial<Job>)
    }
    const waiting = say(say(ACTIVE, "1795400770.000200"), "1795400770.000100")
    expect(waiting.asks.map(({ id }) => id).slice(1)).toEqual([
      "1795400770.000100",
      "1795400770.000200",
    ])
  })
  test("with another's token nothing changes", () => {
    expect(settle(CREATING, { kind: "created", agentJobId: "other" }, "stale")).toBeUndefined()
  })
  test("a process that died is spoken for from its grant on", () => {
    const change = remembered(QUEUED, { token: "token", round: 1 })
    expect(change).toMatchObject({ set: { state: "creating", grant: "token" } })
    expect(remembered(ACTIVE, { token: "token", round: 1 })).toBeUndefined()
  })
  test("a creation of an earlier round says nothing of the one that waits", () => {
    const later = aJob({ ...QUEUED, round: 2 })
    expect(remembered(later, { token: "token", round: 1 })).toBeUndefined()
  })
  test("turned away while its person was being forgotten: it ends, as no words are left to send", () => {
    const forgotten = aJob({ ...CREATING, asks: [anAsk({ isForgotten: true })] })
    expect(settle(forgotten, { kind: "put_back", reason: "outage" })).toMatchObject({
      set: { state: "ended", ending: "cancelled" },
      slot: "back",
    })
  })
})

test("an answer about a job that is not under way changes nothing", () => {
  const found = { misses: 0, waitMs: 1000, ending: "failed", now: NOW } as const
  for (const job of [QUEUED, CREATING, over("lost")]) expect(polled(job, found)).toBeUndefined()
  expect(polled(ACTIVE, found)).toMatchObject({ set: { state: "ended", ending: "failed" } })
})

describe("one more request", () => {
  const more = (job: Job, hasMessages = true) =>
    followedUp(job, {
      ask: { id: "ask2", user: "U2", at: NOW, kind: "request" },
      hasMessages,
      now: NOW,
    })
  const rounds = (job: Job) => {
    const change = more(job)
    return typeof change === "string" ? change : change.set?.asks?.map(({ round }) => round)
  }
  test("joins what is queued, and waits while something is done", () => {
    expect(rounds(QUEUED)).toEqual([1, 1])
    expect(rounds(CREATING)).toEqual([1, 2])
    expect(rounds(ACTIVE)).toEqual([1, 2])
    expect(rounds(UNTOLD)).toEqual([1, 2])
    for (const job of [CREATING, ACTIVE, UNTOLD]) expect(more(job)).not.toHaveProperty("set.state")
  })
  test("is refused where fifty wait already, with it or for it", () => {
    const full = (job: Job, round: number) => ({
      ...job,
      asks: Array(50).fill({ ...asks[0], round }),
    })
    expect([more(full(QUEUED, 1)), more(full(ACTIVE, 2))]).toEqual(["full", "full"])
    expect(more({ ...ACTIVE, asks: full(ACTIVE, 2).asks.slice(1) })).not.toBe("full")
  })
  test("what was taken back with a first round is never sent, nor quoted by what waited with it", () => {
    const [first] = asks.map((ask) => ({ ...ask, user: "U1" }))
    const behind = ["U1", "U2"].map((user) => ({ ...anAsk({ user }), id: `by ${user}`, round: 2 }))
    const job = aJob({ ...QUEUED, asks: [first ?? anAsk(), ...behind] })
    const mayCancel = ({ user }: { user: string }) => user === "U1"
    const change = cancelled(job, { mayCancel, now: NOW })
    if (typeof change === "string") throw new Error(change)
    expect(change.forget).toEqual(["by U1"])
    const over = aJob({ ...job, ...change.set } as Partial<Job>)
    const next = nextRound(over, { hasMessages: true, now: NOW })
    expect(next).toMatchObject({ set: { asks: [{ id: "by U2" }] } })
  })
  test("waits on until the end of the round before is told", () => {
    const waiting = (job: Job) => ({ ...job, asks: [...asks, { ...anAsk(), round: 2 }] })
    const next = (job: Job) => nextRound(job, { hasMessages: true, now: NOW })
    expect(next(waiting(UNTOLD))).toBeUndefined()
    expect(next(waiting(over("pull_request")))).toMatchObject({ set: { state: "queued" } })
  })
  test("starts a round as a message where there is a pull request, else as a creation", () => {
    const ready = { ...over("pull_request"), prLink: "https://github.com/acme/docs/pull/1" }
    expect(more(ready)).toMatchObject({ set: { state: "queued", round: 2, follows: "agent" } })
    expect(more(over("failed"))).toMatchObject({ set: { state: "queued", follows: undefined } })
    const unclear = { ...ready, ending: "unknown" as const, follows: "agent" }
    expect(more(unclear)).toMatchObject({ set: { state: "queued", follows: "agent" } })
  })
  test("is a job of its own where the pull request is merged or its update failed, or there are no messages", () => {
    const prLink = "https://github.com/acme/docs/pull/1"
    expect(more({ ...over("failed"), prLink, follows: "agent" })).toBe("new_job")
    const merged = { ...over("pull_request"), pull: { state: "merged" as const } } as Job
    expect(more(merged)).toBe("new_job")
    expect(more(over("pull_request"), false)).toBe("new_job")
  })
  test("goes into one new job with what already waits", () => {
    const waiting = { ...anAsk(), id: "waits", round: 2 }
    const job = { ...over("pull_request"), asks: [...asks, waiting] }
    expect(more(job, false)).toMatchObject({
      set: { asks: [{}, waiting, { id: "ask2", round: 2 }] },
    })
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
  expect(lookedAgain(job, { now: NOW }) !== undefined).toBe(looks)
})
