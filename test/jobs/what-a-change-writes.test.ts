import { describe, expect, test } from "vitest"
import { followedUp, lookedAgain, retried } from "../../src/jobs/begin-round.ts"
import { keptFor, textOps } from "../../src/jobs/change.ts"
import { cancelledAsk } from "../../src/jobs/end-round.ts"
import type { Job, PullState } from "../../src/jobs/job.ts"
import { cardPosted, notPosted, prepared } from "../../src/jobs/prepare-round.ts"
import type { Ending } from "../../src/jobs/round-record.ts"
import { currentAsks, currentRound, muted } from "../../src/jobs/rounds.ts"
import { polled, pullFound, reviewAddressed, settled } from "../../src/jobs/send-round.ts"
import { aJob, anAsk, becomes, type JobFacts, rerun } from "../helpers/job.ts"

const NOW = 10_000
const at = { now: NOW }
const DAY_MS = 86_400_000
const ready = anAsk({ isPrepared: true })
const later = anAsk({ id: "ask2", user: "U2", at: 3000, isPrepared: true })
const told = { ts: "1.2", users: ["U1"], hash: "" }
const QUEUED = aJob({ asks: [ready], card: "1.1", mayStartAt: 6000 })
const CREATING = aJob({ asks: [ready], card: "1.1", state: "creating", grant: "token" })
const ended = { state: "ended", ending: "failed", endedAt: 9000, startedAt: 7000, told } as const
const ENDED = aJob({ asks: [ready], card: "1.1", agentJobId: "agent", ...ended })

describe("a creation", () => {
  const outcome = { kind: "created", agentJobId: "agent", isActiveAgain: true } as const
  const size = { of: "abc", files: 2, added: 8, removed: 1, names: ["a.md"] }
  const pull = { owner: "acme", repo: "docs", number: 7, since: 1, failures: 0, size }
  const settle = (job: Job) => settled(job, { token: "token", outcome, pollMs: 1000, now: NOW })
  const linked = { ...CREATING, prLink: "https://git.example/1", pull }

  test("that is accepted is polled, and notes how large the pull request was before a message", () => {
    const message = aJob({ ...linked, way: "message", misses: 1 })
    expect(settle(message)).toMatchObject({ due: { polls: 1000, outbox: 0 }, slot: "arrived" })
    const job = becomes(message, settle(message))
    expect(job).toMatchObject({ state: "active", agentJobId: "agent", prLink: linked.prLink, pull })
    expect(currentRound(job)).toEqual({
      ...currentRound(CREATING),
      way: "message",
      startedAt: NOW,
      seenActive: true,
      sizeBefore: { files: 2, added: 8, removed: 1 },
    })
  })
  test("that makes a new job at the service has nothing to do with the pull request before", () => {
    expect(settle(aJob(linked))).toMatchObject({ set: { prLink: undefined, pull: undefined } })
  })
})

describe("a request starts", () => {
  test("after its delay, counted from its card and the last words", () => {
    const asks = [ready, { ...ready, id: "ask2", at: 4000 }]
    const posted = cardPosted(aJob({ asks }), { ts: "1.1", hash: "shown", ...at })
    expect(posted).toEqual({
      set: { card: "1.1", cardAt: NOW, cardHash: "shown" },
      due: { sessions: 0 },
    })
    const start = (job: Job) => becomes(job, posted, 5000).mayStartAt
    expect(start(aJob({ asks }))).toBe(NOW + 5000)
    expect(start(aJob({ asks: [ready, { ...ready, at: NOW + 100 }] }))).toBe(NOW + 5100)
    expect(becomes(aJob({ asks }), { set: { rev: 1 } }, 5000).mayStartAt).toBeUndefined()
    expect(cardPosted(QUEUED, { ts: "1.1", hash: "shown", ...at })).toEqual({})
  })
  test("after its delay once more where somebody runs it again", () => {
    expect(becomes(ENDED, rerun(ENDED, "U3", NOW), 5000).mayStartAt).toBe(NOW + 5000)
  })
  test("without those who may not ask, and ends where nobody else asked", () => {
    const found = { ...at, allowed: [{ id: "ask1", bytes: 5 }], refused: ["ask2"] }
    const joined = aJob({ asks: [anAsk(), later], card: "1.1" })
    const change = prepared(joined, found)
    expect(currentAsks(becomes(joined, change))).toEqual([{ ...ready, bytes: 5 }])
    expect(change).toMatchObject({ forget: ["ask2"], withdrawn: "not_allowed", due: { outbox: 0 } })
    const nobody = becomes(QUEUED, prepared(QUEUED, { ...found, allowed: [], refused: ["ask1"] }))
    expect(nobody).toMatchObject({ state: "ended", rounds: [{ ending: "not_allowed" }] })
    expect(prepared(QUEUED, { ...found, refused: [] }).set).not.toHaveProperty("state")
  })
})

describe("another round", () => {
  test("by Run again sends the same words and counts for who clicked", () => {
    const change = rerun(ENDED, "U3", NOW)
    expect(change?.due).toEqual({ outbox: 0, sessions: 0 })
    const again = becomes(ENDED, change)
    expect(again).toMatchObject({ state: "queued", turnOf: "U3" })
    expect(again.rounds).toMatchObject([
      ENDED.rounds[0] ?? {},
      { at: NOW, way: "creation", asks: [ready], again: { user: "U3", how: "run" } },
    ])
    expect(currentRound(again).id).not.toBe(currentRound(ENDED).id)
    expect(rerun(aJob({ ...ENDED, asks: [] }), "U3", NOW)).toBeUndefined()
  })
  test("by Run again goes as a message again, unless the service's job takes none", () => {
    const again = (ending: Ending) =>
      retried(aJob({ ...ENDED, ending, way: "message" }), { ...at, user: "U1" })
    expect(again("failed")).toMatchObject({ set: { rounds: [{}, { way: "message" }] } })
    expect(again("archived")).toBe("new_job")
  })
  test("that looks again names who looks, and leaves what waits", () => {
    const job = aJob({ ...ENDED, ending: "lost", way: "message", waiting: [later] })
    const change = lookedAgain(job, { ...at, user: "U3" })
    expect(change?.due).toEqual({ polls: 0, outbox: 0, sessions: 0 })
    const looking = becomes(job, change)
    expect(looking).toMatchObject({ state: "active", waiting: [later] })
    expect(currentRound(looking)).toMatchObject({
      way: "message",
      asks: [ready],
      again: { user: "U3", how: "look" },
      startedAt: NOW,
      seenActive: true,
    })
    expect(currentRound(looking)).not.toHaveProperty("ending")
  })
})

test("one of two who wait in one prompt takes only their own words back", () => {
  const joined = aJob({ ...QUEUED, asks: [ready, later] })
  const change = cancelledAsk(joined, "ask2", { ...at, mayCancel: () => true })
  expect(change).toMatchObject({
    set: { isAwaited: true },
    forget: ["ask2"],
    withdrawn: "cancelled",
    due: { outbox: 0 },
  })
  expect(currentAsks(becomes(joined, change))).toEqual([ready])
})

test("a poll that brings nothing new writes nothing; a link is shown at once", () => {
  const job = aJob({ ...CREATING, state: "active" })
  const found = { misses: 0, waitMs: 1000, now: NOW }
  expect(polled(job, found)).toBeUndefined()
  const prLink = "https://git.example/1"
  expect(polled(job, { ...found, prLink })).toMatchObject({ set: { prLink }, due: { outbox: 0 } })
  expect(polled(job, { ...found, misses: 1 })).toMatchObject({ set: { rounds: [{ misses: 1 }] } })
})

test("words of a cancelled request go soon, those of another ending later", () => {
  const wordsMs = (facts: JobFacts) => keptFor(QUEUED, aJob(facts))?.wordsMs
  expect(wordsMs({ state: "ended", ending: "cancelled" })).toBeLessThan(DAY_MS)
  expect(wordsMs({ state: "ended", ending: "unknown" })).toBeGreaterThan(DAY_MS)
  expect(wordsMs({ state: "active" })).toBe("ever")
})

test("the files of a request are deleted once nothing sends them again", () => {
  const filed = anAsk({ fileBytes: 9, isPrepared: true })
  const ops = (before: Job, job: Job) =>
    textOps({ before, job, change: {}, now: NOW }).flatMap((op) => (op.do === "drop" ? op.key : []))
  const active = aJob({ ...CREATING, state: "active", asks: [filed] })
  const over = (ending: Ending) => aJob({ ...active, state: "ended", ending, told })
  expect(ops(active, over("pull_request"))).toEqual(["{da}:files:ask1"])
  const failed = over("failed")
  expect(ops(active, failed)).toEqual([])
  expect(ops(failed, becomes(failed, rerun(failed, "U1", NOW)))).toEqual([])
  const next = followedUp(failed, { ask: later, hasMessages: true, now: NOW })
  expect(ops(failed, becomes(failed, next))).toEqual(["{da}:files:ask1"])
})

test("a job whose pull request was closed stays as long as one that is open, because it may be reopened", () => {
  const pull = { owner: "acme", repo: "docs", number: 7, since: 1, failures: 0 }
  const failed = { state: "ended", ending: "failed", prLink: "https://git.example/1" } as const
  const keepMs = (state: PullState) =>
    keptFor(QUEUED, aJob({ ...failed, pull: { ...pull, state } }))?.keepMs
  expect(keepMs("closed")).toBe(keepMs("open"))
  expect(keepMs("merged")).toBeLessThan(30 * DAY_MS)
})

test("the same link keeps what is known, and without a review there is no follow-up", () => {
  const ref = { owner: "acme", repo: "docs", number: 7 }
  const job = aJob({ pull: { ...ref, since: 1, failures: 0, state: "open" } })
  const seen = pullFound(job, { ...ref, firstMs: 20, now: NOW })
  expect(seen).toMatchObject({ set: { pull: { state: "open", since: NOW } } })
  expect(reviewAddressed(job, "ask1", ["c9"])).toBeUndefined()
})

test("whoever asks again in a muted job is mentioned again, and only they", () => {
  const job = { ...ENDED, muted: ["U1", "U2"] }
  expect(retried(job, { user: "U1", now: NOW })).toMatchObject({ set: { muted: ["U2"] } })
  const ask = anAsk({ id: "more", user: "U2", at: NOW })
  const followed = followedUp(job, { ask, hasMessages: true, now: NOW })
  expect(followed).toMatchObject({ set: { muted: ["U1"] } })
})

test("a job that is muted twice is muted once, and one that may not be posted ends", () => {
  expect(muted(QUEUED, "U1")).toEqual({ set: { muted: ["U1"] } })
  expect(muted(aJob({ muted: ["U1"] }), "U1")).toBeUndefined()
  const detail = "not_in_channel"
  expect(notPosted(QUEUED, { detail, now: NOW })).toMatchObject({
    set: { state: "ended", rounds: [{ ending: "no_card", detail }] },
  })
  expect(notPosted(CREATING, { detail, now: NOW })).toEqual({})
})
