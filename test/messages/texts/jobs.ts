import type { Pull, QueuePlace } from "../../../src/jobs/job.ts"
import type { Ask, Round } from "../../../src/jobs/round-record.ts"
import { jobCard } from "../../../src/messages/card.ts"
import { resultReply } from "../../../src/messages/closing-reply.ts"
import { anAsk, aRound, type JobFacts, aJob as someJob } from "../../helpers/job.ts"
import { ADA, BEN, CLEO } from "../../sandbox/slack/index.ts"
import { CARD, HOST, NOW, PULL, WORDS } from "./facts.ts"

export const ask = (facts: Partial<Ask>) => anAsk({ user: ADA, at: NOW, ...facts })

export const aJob = (facts: JobFacts) =>
  someJob({
    channel: "C0DOCS0001",
    user: ADA,
    turnOf: ADA,
    at: NOW,
    mayStartAt: NOW - 1,
    card: "1.1",
    rounds: [aRound({ asks: [ask({})] })],
    ...facts,
  })

export const pull = (facts: Partial<Pull>): Pull => ({
  owner: "acme",
  repo: "docs",
  number: 214,
  since: NOW,
  failures: 0,
  title: "Require Node 20.19",
  lookedAt: NOW,
  ...facts,
})

export const aReview = (facts: Partial<NonNullable<Pull["review"]>>) =>
  ({ id: "1", state: "posted", round: "round1", ...facts }) as NonNullable<Pull["review"]>

export const size = { of: "abc", files: 3, added: 45, removed: 9, names: ["a.md", "b.md"] }

export const place = (facts: Partial<QueuePlace>): QueuePlace => ({
  place: 7,
  startsAt: NOW + 1_800_000,
  paused: "",
  ...facts,
})

export const card = (facts: JobFacts, more: Partial<Parameters<typeof jobCard>[0]> = {}) =>
  jobCard({
    job: aJob(facts),
    words: WORDS,
    roundWords: "",
    name: "Ada",
    admins: [CLEO],
    now: NOW,
    ...HOST,
    ...more,
  })

/** Facts of a job that waits in line. */
export const inLine = (facts: Partial<QueuePlace> = {}) => ({ place: place(facts) })

export const result = (facts: JobFacts) =>
  resultReply({
    job: aJob({ state: "ended", startedAt: NOW, endedAt: NOW + 240_000, ...facts }),
    users: [ADA],
    ...HOST,
  })

export const ready: JobFacts = { state: "ended", ending: "pull_request", prLink: PULL }

/** Facts of a job whose pull request GitHub has shown. */
export const readyWith = (facts: Partial<Pull>): JobFacts => ({ ...ready, pull: pull(facts) })

export const first = (facts: Partial<Round> = {}) =>
  aRound({ id: "round0", asks: [ask({})], ending: "pull_request", ...facts })

export const follow: JobFacts = {
  prLink: PULL,
  agentJobId: "agent-1",
  rounds: [first(), aRound({ way: "message", asks: [ask({ id: "ask2", user: BEN })] })],
}

/** Jobs by what came of them before somebody clicks an old button. */
export const LATE_FOR = {
  working: aJob({ state: "active" }),
  ready: aJob(ready),
  approved: aJob(readyWith({ state: "approved", by: "ben" })),
  merged: aJob(readyWith({ state: "merged", by: "ben" })),
  closed: aJob(readyWith({ state: "closed" })),
  failed: aJob({ state: "ended", ending: "failed" }),
}

export const listed = (facts: JobFacts, words = WORDS) => ({ job: aJob(facts), words, card: CARD })
