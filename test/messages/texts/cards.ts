import type { Pull } from "../../../src/jobs/job.ts"
import { type Ending, endings } from "../../../src/jobs/round-record.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import { aRound, type JobFacts } from "../../helpers/job.ts"
import { ADA, BEN, CLEO } from "../../sandbox/slack/index.ts"
import { drawn, each, NOW, PULL } from "./facts.ts"
import {
  aReview,
  ask,
  card,
  first,
  follow,
  inLine,
  pull,
  ready,
  readyWith,
  result,
  size,
} from "./jobs.ts"

const linkOf = (ending: Ending) => (ending === "pull_request" ? { prLink: PULL } : {})
/** Pull request whose title GitHub has not told. */
const untitled = (facts: Partial<Pull>) => readyWith({ title: "", ...facts })
const PAUSED = ["rate_limited", "outage", "key_refused", "forbidden"] as const

/** Cards that show only their state: others add a title or lines of history. */
export const BARE = drawn<JobFacts>(card, {
  "just asked": { mayStartAt: NOW + 5000 },
  "starts at once": inLine({ startsAt: NOW }),
  "in line": inLine(),
  "next in line": inLine({ place: 1 }),
  ...each(PAUSED, "paused: ", (paused) => inLine({ paused, startsAt: NOW })),
  starting: { state: "creating" },
  working: { state: "active", startedAt: NOW },
  "working, with a pull request": { state: "active", prLink: PULL },
  "working, though it is merged": {
    state: "active",
    prLink: PULL,
    pull: pull({ state: "merged", title: "" }),
  },
  "updating, asked by Ben": { ...follow, state: "active" },
  ...each(endings, "ended: ", (ending) => ({ state: "ended", ending, ...linkOf(ending) })),
  draft: untitled({ state: "draft" }),
  approved: untitled({ state: "approved" }),
  "changes requested": untitled({
    state: "changes_requested",
    by: "cleo",
    review: aReview({}),
  }),
})

/** Endings of which nobody is told in a closing reply. */
const UNTOLD = new Set(["cancelled", "no_card", "not_allowed", "unreadable"])
const sized = (facts: Partial<Pull> = {}) => ({ pull: pull({ size, ...facts }) })
const UPDATED: JobFacts = { ...follow, state: "ended", ending: "pull_request" }

/** A job's card and its closing replies. */
export const CARD_TEXTS: Record<string, Record<string, Message>> = {
  Cards: {
    ...BARE,
    "in line, in a project": card(
      { asks: [ask({ note: "unread" })], ...inLine() },
      { project: "api", admins: [], name: undefined },
    ),
    ...drawn<JobFacts>(card, {
      "follow-ups wait while it works": {
        state: "active",
        waiting: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
      },
      "more follow-ups than it shows": {
        state: "active",
        waiting: [1, 2, 3, 4, 5, 6, 7].map((n) => ask({ id: `w${n}`, user: BEN })),
      },
      "looked for again": { state: "active", again: { user: ADA, how: "look" } },
      "an update failed": { ...follow, state: "ended", ending: "failed" },
      "a first attempt failed after its link": { prLink: PULL, state: "ended", ending: "failed" },
      "updated, as two people asked": {
        ...UPDATED,
        asks: [BEN, BEN, CLEO].map((user, n) => ask({ id: `by${n}`, user })),
      },
      "updated, after a review": {
        ...UPDATED,
        ...sized(),
        asks: [ask({ id: "ask2", kind: "review" })],
      },
      merged: readyWith({ state: "merged", by: "ben", size }),
      closed: readyWith({ state: "closed" }),
    }),
    "a follow-up from a form joined another": card(
      {
        ...follow,
        ...inLine(),
        state: "queued",
        card: "1.2",
        asks: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
      },
      { roundWords: "make it shorter" },
    ),
    "run again with other words": card(
      {
        rounds: [first({ ending: "failed" }), aRound({ asks: [ask({ id: "ask2" })] })],
        state: "ended",
        ending: "failed",
      },
      { roundWords: "make it *shorter*" },
    ),
  },
  Results: drawn<JobFacts>(result, {
    ...each(
      endings.filter((ending) => !UNTOLD.has(ending)),
      "",
      (ending) => ({ ending, ...linkOf(ending) }),
    ),
    updated: { ...UPDATED, ...sized() },
    "updated, its size not looked up since": { ...UPDATED, ...sized({ lookedAt: NOW - 1 }) },
    "a draft": { ...ready, ...sized({ state: "draft" }) },
    "merged before it was told": { ...ready, ...sized({ state: "merged", by: "ben" }) },
    "a follow-up without an answer": { ...follow, ending: "unknown" },
    "a bad link": { ending: "pull_request", prLink: "javascript:alert(1)" },
    "rejected, with a reason": { ending: "refused", detail: "text is <too> long" },
  }),
}
