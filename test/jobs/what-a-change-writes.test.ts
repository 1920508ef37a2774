import { describe, expect, test } from "vitest"
import { type Change, keptFor } from "../../src/jobs/change.ts"
import type { Job, PullState } from "../../src/jobs/job.ts"
import * as change from "../../src/jobs/transitions.ts"
import { aJob, anAsk, rerun } from "../helpers/job.ts"

const NOW = 10_000
const at = { now: NOW }
const DAY_MS = 86_400_000
const ready = anAsk({ isPrepared: true })
const later = { ...anAsk({ user: "U2", at: 3000, isPrepared: true }), id: "ask2", round: 2 }
const told = { ts: "1.2", round: 1, users: ["U1"], hash: "" }
const QUEUED = aJob({ asks: [ready], card: "1.1", mayStartAt: 6000 })
const CREATING = aJob({ asks: [ready], card: "1.1", state: "creating", grant: "token" })
const ENDED = aJob({
  asks: [ready],
  card: "1.1",
  state: "ended",
  ending: "failed",
  endedAt: 9000,
  startedAt: 7000,
  agentJobId: "agent",
  result: told,
})
/** Job whose second round waits, after a first one that failed. */
const AGAIN = aJob({
  asks: [ready, later],
  card: "1.1",
  round: 2,
  origin: { at: 3000 },
  lastRound: { ending: "failed" },
  result: told,
})

describe("a creation", () => {
  test("that is accepted is polled, and keeps its pull request unless the service's job is new", () => {
    const outcome = { kind: "created", agentJobId: "agent", isReactivated: true } as const
    const job = aJob({ ...CREATING, prLink: "https://git.example/1" })
    const settle = (one: Job) =>
      change.settled(one, { token: "token", outcome, pollMs: 1000, now: NOW })
    expect(settle(aJob({ ...job, follows: "agent" }))).toEqual({
      set: {
        state: "active",
        agentJobId: "agent",
        startedAt: NOW,
        misses: 0,
        prLink: "https://git.example/1",
        isReactivated: true,
      },
      due: { polls: 1000, outbox: 0 },
      slot: "arrived",
    })
    // A new job at the service has nothing to do with the pull request of the one before.
    expect(settle(job)).toMatchObject({
      set: { prLink: undefined, pull: undefined },
    })
  })
  test("whose process died ends as unknown, with nothing given back", () => {
    expect(change.abandoned(CREATING, at)).toEqual({
      set: {
        asks: [ready],
        state: "ended",
        ending: "unknown",
        endedAt: NOW,
        detail: undefined,
      },
      due: { outbox: 0, sessions: 0 },
    })
    expect(change.abandoned(QUEUED, at)).toBeUndefined()
  })
})

test("a job and its turn pass on to the next requester when the first withdraws", () => {
  const both = aJob({ ...QUEUED, asks: [ready, { ...later, round: 1 }] })
  const taken = change.cancelled(both, { ...at, mayCancel: ({ user }) => user === "U1" })
  const left = change.applied(both, taken as Change, 0)
  expect(left).toMatchObject({ user: "U2", turnOf: "U2" })
  const retried = aJob({ ...both, origin: { retryBy: "U3", at: NOW } })
  expect(change.applied(retried, {}, 0)).toMatchObject({ user: "U1", turnOf: "U3" })
})

describe("a request starts", () => {
  test("after its delay, counted from its card and the last words", () => {
    const asks = [ready, { ...ready, id: "ask2", at: 4000 }]
    const posted = change.cardPosted(aJob({ asks }), { ts: "1.1", hash: "shown", ...at })
    expect(posted).toEqual({
      set: { card: "1.1", cardAt: NOW, cardHash: "shown", posting: undefined },
      due: { sessions: 0 },
    })
    const start = (job: Job) => change.applied(job, posted, 5000).mayStartAt
    expect(start(aJob({ asks }))).toBe(NOW + 5000)
    expect(start(aJob({ asks: [ready, { ...ready, at: NOW + 100 }] }))).toBe(NOW + 5100)
    expect(change.applied(aJob({ asks }), { set: { rev: 1 } }, 5000).mayStartAt).toBeUndefined()
    expect(change.cardPosted(QUEUED, { ts: "1.1", hash: "shown", ...at })).toEqual({
      set: { posting: undefined },
    })
  })
  test("after its delay once more where somebody runs it again", () => {
    const again = rerun(ENDED, "U3", NOW)
    const job = change.applied(aJob({ ...ENDED, card: "1.1" }), again ?? {}, 5000)
    expect(job.mayStartAt).toBe(NOW + 5000)
  })
  test("without those who may not ask, and ends where nobody else asked", () => {
    const found = { ...at, allowed: ["ask1"], refused: ["ask2"] }
    const joined = aJob({ asks: [anAsk(), { ...later, round: 1 }], card: "1.1" })
    expect(change.prepared(joined, found)).toEqual({
      set: { asks: [ready], note: undefined },
      forget: ["ask2"],
      withdrawn: "not_allowed",
      due: { outbox: 0 },
    })
    const nobody = change.prepared(QUEUED, { ...found, allowed: [], refused: ["ask1"] })
    expect(nobody.set).toMatchObject({ state: "ended", ending: "not_allowed" })
    const alone = change.prepared(QUEUED, { ...found, refused: [] })
    expect(alone.set).not.toHaveProperty("state")
  })
})

describe("another round", () => {
  test("by Run again sends the same words and counts for who clicked", () => {
    const again = rerun(ENDED, "U3", NOW)
    expect(again).toMatchObject({
      set: {
        ending: undefined,
        follows: undefined,
        round: 2,
        asks: [{ ...ready, round: 2 }],
        state: "queued",
        origin: { retryBy: "U3", at: NOW },
        lastRound: { ending: "failed" },
      },
      due: { outbox: 0, sessions: 0 },
    })
    expect(change.applied(ENDED, again ?? {}, 0).turnOf).toBe("U3")
    expect(rerun(aJob({ ...ENDED, round: 2 }), "U3", NOW)).toBeUndefined()
  })
  test("by Run again leaves what waits to the round after it", () => {
    const again = rerun(aJob({ ...ENDED, asks: [ready, later] }), "U1", NOW)
    expect(again?.set?.asks?.map(({ round }) => round)).toEqual([2, 3])
  })
  test("by Run again goes as a message again, unless the service's job takes none", () => {
    const again = (ending: Job["ending"]) =>
      change.retried(aJob({ ...ENDED, ending, follows: "agent" } as Job), { ...at, user: "U1" })
    expect(again("failed")).toMatchObject({ set: { follows: "agent" } })
    expect(again("archived")).toBe("new_job")
  })
  test("takes all that waited and the turn of the first", () => {
    const review = { ...later, id: "ask3", user: "U3", kind: "review" as const }
    const job = aJob({ ...ENDED, asks: [ready, later, review] })
    const next = change.nextRound(job, { ...at, hasMessages: true })
    expect(next).toMatchObject({
      set: { asks: [ready, later, review], origin: { at: NOW } },
    })
    expect(change.applied(job, next as Change, 0).turnOf).toBe("U2")
  })
  test("that is taken back leaves the job as it was before", () => {
    const wish = { ...at, mayCancel: () => true }
    const mine = change.cancelled(AGAIN, wish)
    expect(mine).toMatchObject({
      set: {
        state: "ended",
        ending: "failed",
        lastRound: undefined,
        asks: [{ ...ready, round: 2 }],
        origin: undefined,
        result: { round: 2 },
      },
      forget: ["ask2"],
    })
    const untold = change.cancelled(aJob({ ...AGAIN, result: { ...told, round: 0 } }), wish)
    expect(untold).toMatchObject({ set: { result: { round: 0 } } })
    for (const name of ["agentJobId", "prLink", "pull"])
      expect(mine).not.toHaveProperty(`set.${name}`)
  })
  test("that was a retry and is taken back can be run again", () => {
    const again = rerun(ENDED, "U1", NOW)
    const retried = aJob({ ...ENDED, ...again?.set, result: ENDED.result } as Partial<Job>)
    const follow = { ...later, id: "ask3", at: NOW + 1, round: 2 }
    const joined = aJob({ ...retried, asks: [...retried.asks, follow] })
    const taken = change.cancelled(joined, { ...at, mayCancel: () => true })
    expect(taken).toMatchObject({ set: { ending: "failed" }, forget: ["ask3"] })
    const back = aJob({ ...joined, ...(taken as Change).set } as Partial<Job>)
    expect(back.asks).toMatchObject([{ id: ready.id }])
    expect(rerun(back, "U1", NOW)).toMatchObject({ set: { round: 3 } })
  })
  test("is not needed to look again: all requests move on with it", () => {
    const job = aJob({ ...ENDED, ending: "lost", asks: [ready, later], follows: "agent" })
    expect(change.lookedAgain(job, at)).toMatchObject({
      set: {
        ending: undefined,
        detail: undefined,
        isLookedFor: true,
        round: 2,
        asks: [{ round: 2 }, { round: 3 }],
        isReactivated: true,
      },
      due: { polls: 0, outbox: 0, sessions: 0 },
    })
  })
})

test("one of two who wait in one prompt takes only their own words back", () => {
  const joined = aJob({ ...QUEUED, asks: [ready, { ...later, round: 1 }] })
  expect(change.cancelled(joined, { ...at, mayCancel: () => true, id: "ask2" })).toEqual({
    set: { asks: [ready], isAwaited: true },
    forget: ["ask2"],
    withdrawn: "cancelled",
    due: { outbox: 0 },
  })
})

test("a poll that brings nothing new writes nothing; a link is shown at once", () => {
  const job = aJob({ ...CREATING, state: "active" })
  const found = { misses: 0, waitMs: 1000, now: NOW }
  expect(change.polled(job, found)).toBeUndefined()
  const prLink = "https://git.example/1"
  expect(change.polled(job, { ...found, prLink })).toMatchObject({
    set: { prLink },
    due: { outbox: 0 },
  })
})

test("words of a cancelled request go soon, those of another ending later", () => {
  const wordsMs = (facts: Partial<Job>) => keptFor(QUEUED, aJob(facts)).wordsMs
  expect(wordsMs({ state: "ended", ending: "cancelled" })).toBeLessThan(DAY_MS)
  expect(wordsMs({ state: "ended", ending: "unknown" })).toBeGreaterThan(DAY_MS)
  expect(wordsMs({ state: "active" })).toBe("ever")
})

test("a job whose pull request was closed stays as long as one that is open, because it may be reopened", () => {
  const pull = { owner: "acme", repo: "docs", number: 7, since: 1, failures: 0 }
  const keepMs = (state: PullState) =>
    keptFor(QUEUED, aJob({ state: "ended", ending: "failed", pull: { ...pull, state } })).keepMs
  expect(keepMs("closed")).toBe(keepMs("open"))
  expect(keepMs("merged")).toBeLessThan(30 * DAY_MS)
})

test("whoever asks again in a muted job is mentioned again, and only they", () => {
  const job = aJob({ ...ENDED, ending: "failed", muted: ["U1", "U2"] })
  expect(change.retried(job, { user: "U1", now: NOW })).toMatchObject({ set: { muted: ["U2"] } })
  const ask = { id: "more", user: "U2", at: NOW, kind: "request" } as const
  const followed = change.followedUp(job, { ask, hasMessages: true, now: NOW })
  expect(followed).toMatchObject({ set: { muted: ["U1"] } })
})

test("a job that is muted twice is muted once, and one that may not be posted ends", () => {
  expect(change.muted(QUEUED, "U1")).toEqual({ set: { muted: ["U1"] } })
  expect(change.muted(aJob({ muted: ["U1"] }), "U1")).toBeUndefined()
  const detail = "not_in_channel"
  expect(change.notPosted(QUEUED, { detail, now: NOW })).toMatchObject({
    set: { state: "ended", ending: "no_card", detail, posting: undefined },
  })
  expect(change.notPosted(CREATING, { detail, now: NOW })).toEqual({ set: { posting: undefined } })
})
