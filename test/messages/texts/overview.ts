import type { OverviewFacts } from "../../../src/messages/status-and-home.ts"
import { BEN, CLEO } from "../../sandbox/slack/index.ts"
import { HOST, NOW } from "./facts.ts"
import { aReview, follow, listed, place, ready, readyWith } from "./jobs.ts"

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
