import { describe, expect, test } from "vitest"
import type { Job } from "../../src/jobs/job.ts"
import type { Overview } from "../../src/jobs/overview.ts"
import { jobCard } from "../../src/views/card.ts"
import { homeView } from "../../src/views/home.ts"
import { quotaMessage, statusMessage } from "../../src/views/overview.ts"
import { aJob } from "../helpers/job.ts"

const NOW = Date.UTC(2026, 10, 20, 20, 30)
const TRY = NOW + 7 * 60_000
/** How dates read to whoever sees no Slack. */
const CLOCK = /\d\d:\d\d/

const waiting = aJob({ card: "1.1", shown: { rev: 1 } })
const words = { words: "fix it" }
const cardText = (place: Parameters<typeof jobCard>[2]) => jobCard(waiting, words, place).text

describe("the card of a request that waits out a pause", () => {
  test.each([
    ["rate_limited", /Hourly limit used up/],
    ["outage", /isn't responding/],
  ])("after %s says its place and when the service is asked again", (paused, says) => {
    const startsAt = NOW + 5 * 3_600_000
    const text = cardText({ place: 4, startsAt, soon: false, paused, triedAt: TRY })
    expect(text).toMatch(says)
    expect(text).toContain("Number 4 in line")
    expect(text).toContain("20:37")
    // The place's own start is hours later, and nobody tries the service then.
    expect(text).not.toContain("01:30")
  })

  test.each(["key_refused", "forbidden"])("for %s says its place and no time", (paused) => {
    const text = cardText({ place: 1, soon: false, paused })
    expect(text).toContain("Next in line")
    expect(text).not.toMatch(CLOCK)
  })
})

describe("while the queue is paused without an end", () => {
  const pause = { reason: "key_refused" as const, since: NOW }
  const quota = { used: 99, ceiling: 99, left: 0, reserved: 0, waiting: 1, nextFreeAt: TRY, pause }
  const overview: Overview = {
    now: NOW,
    jobs: [{ job: waiting, ...words, place: { place: 1, soon: false, paused: "key_refused" } }],
    more: 0,
    quotas: [{ project: "docs", quota }],
    gitHubHost: "github.com",
  }

  test("neither `status` nor `quota` promises a time", () => {
    expect(statusMessage(overview).text).toMatch(/next in line/)
    expect(statusMessage(overview).text).not.toMatch(CLOCK)
    expect(quotaMessage(overview).text).not.toMatch(CLOCK)
  })
})

test("jobs for which there is no room are counted, in `status` and on the Home tab", () => {
  const job: Job = aJob({ state: "active" })
  const jobs = [{ job, ...words }]
  const overview: Overview = { now: NOW, jobs, more: 12, quotas: [], gitHubHost: "github.com" }
  expect(statusMessage(overview).text).toContain("12 more")
  expect(JSON.stringify(homeView(overview, { isAdmin: false }))).toContain("12 more")
})
