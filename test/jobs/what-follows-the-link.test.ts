import { expect, test } from "vitest"
import type { Preview } from "../../src/jobs/job.ts"
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
const REVIEW = { id: "r1", state: "due", round: 1 } as const
const READY = aJob({ state: "ended", ending: "pull_request", branch: "agent/7", pull: { ...OPEN } })
const REVIEWED = aJob({ ...READY, pull: { ...OPEN, review: REVIEW } })
const MERGED = aJob({ ...READY, pull: { ...OPEN, state: "merged" } })
const BARE = aJob({ state: "ended", ending: "failed" })
const built: Preview = { state: "ready", by: "U1", at: 5 }
const found = { owner: "acme", repo: "docs", number: 7, firstMs: 20, now: NOW }
const asked = { by: "U2", now: NOW }

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
  [
    "a preview is asked for",
    changes.previewAsked(READY, asked),
    { set: { preview: { state: "asked", by: "U2" } }, due: { previews: 0 } },
  ],
  [
    "one preview at a time",
    changes.previewAsked(aJob({ ...READY, preview: { ...built, state: "building" } }), asked),
    undefined,
  ],
  ["of a merged one there is none", changes.previewAsked(MERGED, asked), undefined],
  ["without a branch there is none", changes.previewAsked(BARE, asked), undefined],
  [
    "a preview goes on",
    changes.previewStepped(aJob({ ...READY, preview: built }), built),
    { set: { preview: built } },
  ],
  ["a preview that nobody waits for is nothing", changes.previewStepped(READY, built), undefined],
])("%s", (_, change, expected) => {
  if (expected === undefined) expect(change).toBeUndefined()
  else expect(change).toMatchObject(expected)
})

test("a rebuild says nothing of the failure before it", () => {
  const failed = aJob({ ...READY, preview: { ...built, state: "failed", summary: "no config" } })
  const preview = { state: "asked", by: "U2", at: NOW }
  expect(changes.previewAsked(failed, asked)?.set).toEqual({ preview })
})
