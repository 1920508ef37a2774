import { expect, test } from "vitest"
import { jobCard } from "../../src/views/card.ts"
import { homeView } from "../../src/views/home.ts"
import { askModal } from "../../src/views/modal.ts"
import { quotaMessage, statusMessage } from "../../src/views/overview.ts"
import { projectKey } from "../../src/views/project-key.ts"
import { unknownProjectMessage } from "../../src/views/request-messages.ts"
import { checkMessage, checkView } from "../helpers/block-kit.ts"
import { aJob } from "../helpers/job.ts"

const names = Array.from({ length: 150 }, (_, n) => `project-${n}-${"x".repeat(28)}`)
const last = names.at(-1) ?? ""
const now = Date.UTC(2026, 10, 21)

/** All stand still: those are the longest words. */
const overview = {
  now,
  jobs: [],
  more: 0,
  gitHubHost: "github.com",
  quotas: names.map((project, n) => ({
    project,
    quota: {
      used: 99,
      ceiling: 99,
      left: 0,
      reserved: 5,
      waiting: n === 149 ? 1000 : 3,
      nextFreeAt: now + 3_600_000,
      pause: { reason: "rate_limited" as const, since: now, until: now + 60_000 },
    },
  })),
}

test("150 projects fit into every message, the busiest first and the rest counted", () => {
  for (const message of [statusMessage(overview), quotaMessage(overview)]) {
    expect(checkMessage(message)).toEqual([])
    expect(message.text).toContain(last)
    expect(message.text).toContain("140 quieter projects not shown.")
  }
  const unknown = unknownProjectMessage("nope", names)
  expect(checkMessage(unknown)).toEqual([])
  expect(unknown.text).toContain("and 100 more")
})

test("150 projects fit into the Home tab, and an admin can resume the busiest", () => {
  const home = homeView(overview, { isAdmin: true })
  expect(checkView(home)).toEqual([])
  expect(JSON.stringify(home)).toContain(`"value":"${projectKey(last)}"`)
})

test("the last of 150 projects is chosen in the form and on the card", () => {
  const modal = askModal({ draft: "d", project: last, projects: names })
  expect(checkView(modal)).toEqual([])
  const card = jobCard(aJob({ project: last }), { words: "fix it" }, undefined, names)
  expect(checkMessage(card)).toEqual([])
})
