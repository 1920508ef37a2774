import { expect, test } from "vitest"
import * as changes from "../../src/jobs/pull-transitions.ts"
import { aJob } from "../helpers/job.ts"

const NOW = 10_000
const OPEN = {
  owner: "acme",
  repo: "docs",
  number: 7,
  since: 1,
  state: "open",
  failures: 0,
} as const
const REVIEW = { id: "r1", state: "due", round: "round1" } as const
const READY = aJob({ state: "ended", ending: "pull_request", pull: { ...OPEN } })
const REVIEWED = aJob({ ...READY, pull: { ...OPEN, review: REVIEW } })
const BARE = aJob({ state: "ended", ending: "failed" })
const found = { owner: "acme", repo: "docs", number: 7, firstMs: 20, now: NOW }

test.each<[string, unknown, object | undefined]>([
  ["a link is followed", changes.pullFound(BARE, found), { due: { pulls: 20 } }],
  [
    "the same link keeps what is known",
    changes.pullFound(READY, found),
    { set: { pull: { state: "open", since: NOW } } },
  ],
  [
    "another link begins anew",
    changes.pullFound(READY, { ...found, number: 8 }),
    { set: { pull: { number: 8, failures: 0 } } },
  ],
  [
    "what GitHub says is shown, and may be reminded of",
    changes.pullSeen({ ...OPEN }),
    { due: { outbox: 0, reminders: 0 } },
  ],
  ["a reminder is noted", changes.reminded(READY, NOW), { set: { pull: { remindedAt: NOW } } }],
  [
    "a review is posted once",
    changes.reviewPosted(REVIEWED),
    { set: { pull: { review: { state: "posted" } } } },
  ],
  [
    "a review becomes a follow-up",
    changes.reviewAddressed(REVIEWED, "ask1", ["c9"]),
    {
      set: { pull: { addressed: [{ review: "c9", ask: "ask1" }], review: { state: "addressed" } } },
    },
  ],
  ["no review, no follow-up", changes.reviewAddressed(READY, "ask1", ["c9"]), undefined],
])("%s", (_, change, expected) => {
  if (expected === undefined) expect(change).toBeUndefined()
  else expect(change).toMatchObject(expected)
})
