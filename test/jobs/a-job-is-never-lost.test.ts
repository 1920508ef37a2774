import fc from "fast-check"
import { expect, test } from "vitest"
import { followedUp, lookedAgain, nextRound, retried } from "../../src/jobs/begin-round.ts"
import { applied, type Change } from "../../src/jobs/change.ts"
import { cancelled } from "../../src/jobs/end-round.ts"
import type { Job } from "../../src/jobs/job.ts"
import { cardPosted, notPosted, prepared } from "../../src/jobs/prepare-round.ts"
import { type Ask, isTold } from "../../src/jobs/round-record.ts"
import {
  allAsks,
  currentAsks,
  currentRound,
  eachAsk,
  muted,
  openAsks,
  withCurrent,
} from "../../src/jobs/rounds.ts"
import { type AttemptOutcome, abandoned, polled, settled } from "../../src/jobs/send-round.ts"
import { aJob, anAsk } from "../helpers/job.ts"
import { holds } from "../helpers/property.ts"

/** Places where a process can find a job: a fair queue, creations in progress, schedules. */
type Owner = "line" | "in_hand" | "polls" | "outbox"

/** Job as the store would hold it, with what was sent to the service and posted in Slack. */
class World {
  job = aJob({ at: 1_000_000, asks: [anAsk({ id: "a0", at: 1_000_000 })] })
  now = 1_000_000
  owners = new Set<Owner>(["line", "outbox"])
  sent: string[] = []
  told: string[] = []
  gone = new Set<string>()
  asked = 1

  write(change: Change | undefined): void {
    if (!change) return
    const before = this.job
    this.job = applied(before, change, 5)
    this.owners[this.job.state === "queued" ? "add" : "delete"]("line")
    if (before.state === "creating" && this.job.state !== "creating") this.owners.delete("in_hand")
    for (const kind of Object.keys(change.due ?? {}))
      if (kind === "polls" || kind === "outbox") this.owners.add(kind)
    for (const id of change.forget ?? []) this.gone.add(id)
  }

  /** Grants a creation, as the reserve script does. */
  grant(): void {
    const { state, mayStartAt } = this.job
    if (state !== "queued" || !this.owners.has("line") || mayStartAt === undefined) return
    if (mayStartAt > this.now) this.now = mayStartAt
    this.owners.delete("line")
    this.owners.add("in_hand")
    this.job = { ...this.job, state: "creating", grant: "token", rev: this.job.rev + 1 }
  }

  settle(outcome: AttemptOutcome): void {
    if (this.job.state !== "creating") return
    if (outcome.kind === "created") this.sent.push(...currentAsks(this.job).map(({ id }) => id))
    // A refused request, and what waits behind it, is told of, and then only run again.
    const told = outcome.kind === "refused" ? openAsks(this.job) : currentAsks(this.job)
    if (outcome.kind === "refused" || outcome.kind === "not_allowed")
      for (const { id } of told) this.gone.add(id)
    this.write(settled(this.job, { token: "token", outcome, pollMs: 1, now: this.now }))
  }

  /** Performs one step of a delivery to Slack, as the outbox would. */
  deliver(): void {
    const { job, now } = this
    const unprepared = openAsks(job).filter(({ isPrepared }) => !isPrepared)
    if (job.state !== "ended" && unprepared.length > 0)
      this.write(prepared(job, { allowed: unprepared, refused: [], now }))
    else if (job.card === undefined && job.state !== "ended")
      this.write(cardPosted(job, { ts: "1.1", hash: "x", now }))
    else if (job.card === undefined) this.owners.delete("outbox")
    else if (isUntold(job)) {
      this.told.push(`${currentRound(job).id} ${job.rounds.length}`)
      this.job = { ...job, rounds: withCurrent(job, { told: { ts: "2.2", users: [], hash: "" } }) }
    } else {
      const next = nextRound(job, { hasMessages: true, now })
      if (next === "new_job") this.moveOut(job.waiting)
      else if (next) this.write(next)
      else this.owners.delete("outbox")
    }
  }

  /** Moves requests to a job of their own, as the store does in one step. */
  moveOut(asks: readonly Ask[]): void {
    for (const { id } of asks) this.gone.add(id)
    const isLeft = (ask: Ask) => !asks.some(({ id }) => id === ask.id)
    this.write({ set: eachAsk(this.job, (ask) => (isLeft(ask) ? ask : undefined)) })
  }
}

function isUntold(job: Job): boolean {
  return job.state === "ended" && !isTold(currentRound(job))
}

const outcomes: readonly AttemptOutcome[] = [
  { kind: "created", agentJobId: "agent" },
  { kind: "created", agentJobId: "agent" },
  { kind: "created", agentJobId: "agent", isActiveAgain: true },
  { kind: "put_back" },
  { kind: "refused", detail: "no" },
  { kind: "not_allowed" },
  { kind: "unknown", detail: "?" },
]

const endings = ["pull_request", "no_pull_request", "failed", "archived", "lost", "gone"] as const

/** Events of a job, which can happen in any order. */
const facts = {
  deliver: fc.constant((w: World) => w.deliver()),
  grant: fc.constant((w: World) => w.grant()),
  settle: fc.constantFrom(...outcomes).map((outcome) => (w: World) => w.settle(outcome)),
  crash: fc.constant((w: World) => w.write(abandoned(w.job, { now: w.now }))),
  poll: fc.constantFrom(undefined, ...endings).map((ending) => (w: World) => {
    const prLink = ending === "pull_request" ? { prLink: "https://x/pull/1" } : {}
    const found = { misses: 0, waitMs: 1, ...prLink, ...(ending ? { ending } : {}) }
    w.write(polled(w.job, { ...found, now: w.now }))
  }),
  followUp: fc.integer({ min: 0, max: 2 }).map((n) => (w: World) => {
    const ask = { id: `a${w.asked++}`, user: `U${n}`, at: w.now, kind: "request" as const }
    const change = followedUp(w.job, { ask, hasMessages: true, now: w.now })
    if (change === "too_many" || change === "too_long") throw new Error(change)
    if (change === "new_job") w.gone.add(ask.id)
    else w.write(change)
  }),
  cancel: fc.integer({ min: 0, max: 2 }).map((n) => (w: World) => {
    const change = cancelled(w.job, {
      mayCancel: ({ user }) => user === `U${n}`,
      now: w.now,
    })
    if (typeof change === "string") return
    const open = w.job.state === "queued" ? openAsks(w.job) : []
    w.write(change)
    if (w.job.state === "ended" && currentRound(w.job).ending === "cancelled")
      for (const { id } of open) w.gone.add(id)
  }),
  retry: fc.constant((w: World) => {
    const change = retried(w.job, { user: "U1", now: w.now })
    if (change === "new_job") w.moveOut(currentAsks(w.job))
    else w.write(change)
  }),
  look: fc.constant((w: World) => w.write(lookedAgain(w.job, { user: "U1", now: w.now }))),
  mute: fc.constant((w: World) => w.write(muted(w.job, "U1"))),
  noCard: fc.constant((w: World) => {
    if (w.job.card !== undefined) return
    const open = allAsks(w.job).map(({ id }) => id)
    w.write(notPosted(w.job, { detail: "is_archived", now: w.now }))
    if (currentRound(w.job).ending === "no_card") for (const id of open) w.gone.add(id)
  }),
}

/** Favors events that advance a job, so that most runs have several rounds. */
const anyFacts = fc.array(
  fc.oneof(
    { arbitrary: facts.deliver, weight: 12 },
    { arbitrary: facts.grant, weight: 6 },
    { arbitrary: facts.settle, weight: 5 },
    { arbitrary: facts.poll, weight: 5 },
    ...Object.values(facts),
  ),
  { maxLength: 80, size: "max" },
)

/** Returns the place where a process must find the job for its next step. */
function ownerOf({ state }: Job): Owner | undefined {
  if (state === "queued") return "line"
  if (state === "creating") return "in_hand"
  return state === "active" ? "polls" : undefined
}

/** Expects that a process will take the next step of the job. */
function expectOwned({ job, owners }: World): void {
  const owner = ownerOf(job)
  if (owner) expect(owners).toContain(owner)
  const waits = job.state !== "ended" && openAsks(job).some(({ isPrepared }) => !isPrepared)
  if (isUntold(job) || waits) expect(owners).toContain("outbox")
}

/** Lets everything happen that happens without people. */
function rest(w: World): void {
  const found = {
    misses: 0,
    waitMs: 1,
    ending: "pull_request",
    prLink: "https://x/pull/1",
  } as const
  for (let n = 0; n < 60; n += 1) {
    w.deliver()
    w.grant()
    w.settle({ kind: "created", agentJobId: "agent", isActiveAgain: true })
    w.write(polled(w.job, { ...found, now: w.now }))
  }
}

test("whatever happens in whichever order, a job has an owner, loses no request, and tells each end once", async () => {
  await holds(
    fc.property(anyFacts, (happened) => {
      const w = new World()
      for (const fact of happened) {
        fact(w)
        expectOwned(w)
      }
      const known = new Set([...w.sent, ...w.gone, ...allAsks(w.job).map(({ id }) => id)])
      for (let n = 0; n < w.asked; n += 1) expect(known).toContain(`a${n}`)
      rest(w)
      expect(new Set(w.told).size).toBe(w.told.length)
      expect(w.job.state).toBe("ended")
      expect(isUntold(w.job)).toBe(false)
      expect(w.job.waiting).toEqual([])
    }),
    2000,
  )
})
