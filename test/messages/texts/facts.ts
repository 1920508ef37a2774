import type { Pull, QueuePlace } from "../../../src/jobs/job.ts"
import type { Ask, Round } from "../../../src/jobs/round-record.ts"
import { jobCard } from "../../../src/messages/card.ts"
import { resultReply } from "../../../src/messages/closing-reply.ts"
import type { OverviewFacts } from "../../../src/messages/status-and-home.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import { anAsk, aRound, type JobFacts, aJob as someJob } from "../../helpers/job.ts"

export const NOW = Date.UTC(2026, 10, 20, 20, 30)
export const PULL = "https://github.com/acme/docs/pull/214"
export const CARD = "https://acme.slack.com/archives/C0DOCS0001/p1"
export const WORDS = "fix the quickstart: it needs Node 20.19"
export const [ADA, BEN, CLEO, BOT] = [
  "U0ADA00001",
  "U0BEN00001",
  "U0CLEO0001",
  "U0BOT00001",
] as const
export const ask = (facts: Partial<Ask>) => anAsk({ user: ADA, at: NOW, ...facts })

/** Names something for each of these after it. */
export const each = <Of extends string, To = Message>(
  list: readonly Of[],
  before: string,
  of: (one: Of) => To,
): Record<string, To> => Object.fromEntries(list.map((one) => [`${before}${one}`, of(one)]))

/** Draws each of these facts under its name. */
export const drawn = <Facts>(draw: (facts: Facts) => Message, all: Record<string, Facts>) =>
  Object.fromEntries(Object.entries(all).map(([name, facts]) => [name, draw(facts)]))

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

export const HOST = { gitHubHost: "github.com" }

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

export const overview: OverviewFacts["overview"] = {
  now: NOW,
  zone: "UTC",
  jobs: [
    { ...listed({}), place: place({ place: 2 }) },
    listed({ state: "active" }, "explain webhooks"),
    listed({ ...follow, state: "active" }, "say it on the install page"),
    listed(readyWith({ state: "open" }), "add an example"),
    listed(readyWith({ state: "changes_requested", review: aReview({}) }), "split the page"),
    listed(readyWith({ state: "approved", touchedAt: NOW - 9e8 }), "fix typos"),
    listed(ready, "link the glossary"),
    listed(readyWith({ state: "merged" }), "name the limits"),
    listed({ state: "ended", ending: "failed" }, ""),
  ],
  quotas: [{ project: "p1", quota: { used: 2, ceiling: 99, waiting: 1 } }],
}

export const facts: OverviewFacts = {
  overview,
  nameOf: () => "docs-site",
  ...HOST,
  admins: [CLEO],
  isStale: ({ pull: of }) => of?.touchedAt === NOW - 9e8,
}

export const withQuota = (
  quota: Partial<OverviewFacts["overview"]["quotas"][number]["quota"]>,
) => ({
  ...facts,
  overview: {
    ...overview,
    jobs: [],
    quotas: [{ project: "p1", quota: { used: 99, ceiling: 99, waiting: 3, ...quota } }],
  },
})

export const paused = withQuota({ pause: { reason: "key_refused" } })

export const trouble = {
  kind: "key_refused",
  project: "p1",
  label: "docs-site",
  host: "api.example.com",
  setting: "DOCS_PROJECTS",
  isInContainer: false,
  waiting: 12,
  since: NOW,
  admins: [CLEO, BEN],
} as const
