import { endings } from "../../../src/jobs/round-record.ts"
import { jobCard } from "../../../src/messages/card.ts"
import type { Message } from "../../../src/slack/message-types.ts"
import { aRound } from "../../helpers/job.ts"
import {
  ADA,
  aJob,
  aReview,
  ask,
  BEN,
  CLEO,
  card,
  each,
  first,
  follow,
  NOW,
  PULL,
  place,
  pull,
  ready,
  readyWith,
  result,
  size,
  WORDS,
} from "./facts.ts"

/** Cards that show only their state: others add a title or lines of history. */
export const BARE: Record<string, Message> = {
  "just asked": card({ mayStartAt: NOW + 5000 }),
  "starts at once": card({}, place({ startsAt: NOW })),
  "in line": card({}, place({})),
  "next in line": card({}, place({ place: 1 })),
  ...each(["rate_limited", "outage", "key_refused", "forbidden"] as const, "paused: ", (paused) =>
    card({}, place({ paused, startsAt: NOW })),
  ),
  starting: card({ state: "creating" }),
  working: card({ state: "active", startedAt: NOW }),
  "working, with a pull request": card({ state: "active", prLink: PULL }),
  "working, though it is merged": card({
    state: "active",
    prLink: PULL,
    pull: pull({ state: "merged", title: "" }),
  }),
  "updating, asked by Ben": card({ ...follow, state: "active" }),
  ...each(endings, "ended: ", (ending) =>
    card({ state: "ended", ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) }),
  ),
  draft: card(readyWith({ state: "draft", title: "" })),
  approved: card(readyWith({ state: "approved", title: "" })),
  "changes requested": card(
    readyWith({ state: "changes_requested", title: "", by: "cleo", review: aReview({}) }),
  ),
}

/** A job's card and its closing replies. */
export const CARD_TEXTS: Record<string, Record<string, Message>> = {
  Cards: {
    ...BARE,
    "in line, in a project": jobCard({
      job: aJob({
        asks: [ask({ note: "unread" })],
        place: place({}),
      }),
      words: WORDS,
      project: "api",
      gitHubHost: "github.com",
      admins: [],
      now: NOW,
    }),
    "follow-ups wait while it works": card({
      state: "active",
      waiting: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
    }),
    "more follow-ups than it shows": card({
      state: "active",
      waiting: [1, 2, 3, 4, 5, 6, 7].map((n) => ask({ id: `w${n}`, user: BEN })),
    }),
    "looked for again": card({ state: "active", again: { user: ADA, how: "look" } }),
    "a follow-up from a form joined another": card(
      {
        ...follow,
        state: "queued",
        card: "1.2",
        asks: [ask({ id: "ask2", user: BEN }), ask({ id: "ask3" })],
      },
      place({}),
      "make it shorter",
    ),
    "run again with other words": card(
      {
        rounds: [first({ ending: "failed" }), aRound({ asks: [ask({ id: "ask2" })] })],
        state: "ended",
        ending: "failed",
      },
      undefined,
      "make it *shorter*",
    ),
    "an update failed": card({ ...follow, state: "ended", ending: "failed" }),
    "a first attempt failed after its link": card({
      prLink: follow.prLink ?? "",
      state: "ended",
      ending: "failed",
    }),
    "updated, as two people asked": card({
      ...ready,
      ...follow,
      asks: [BEN, BEN, CLEO].map((user, n) => ask({ id: `by${n}`, user })),
    }),
    "updated, after a review": card({
      ...follow,
      state: "ended",
      ending: "pull_request",
      pull: pull({ size }),
      asks: [ask({ id: "ask2", kind: "review" })],
    }),
    merged: card(readyWith({ state: "merged", by: "ben", size })),
    closed: card(readyWith({ state: "closed" })),
  },
  Results: {
    ...each(
      endings.filter(
        (ending) => !["cancelled", "no_card", "not_allowed", "unreadable"].includes(ending),
      ),
      "",
      (ending) => result({ ending, ...(ending === "pull_request" ? { prLink: PULL } : {}) }),
    ),
    updated: result({ ...follow, ending: "pull_request", pull: pull({ size }) }),
    "updated, its size not looked up since": result({
      ...follow,
      ending: "pull_request",
      pull: pull({ size, lookedAt: NOW - 1 }),
    }),
    "a draft": result({ ...ready, pull: pull({ state: "draft", size }) }),
    "merged before it was told": result({
      ...ready,
      pull: pull({ state: "merged", by: "ben", size }),
    }),
    "a follow-up without an answer": result({ ...follow, ending: "unknown" }),
    "a bad link": result({ ending: "pull_request", prLink: "javascript:alert(1)" }),
    "rejected, with a reason": result({ ending: "refused", detail: "text is <too> long" }),
  },
}
