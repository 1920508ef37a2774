import { describe, expect, test } from "vitest"
import { daysBefore, type Range } from "../../src/visitors/range.ts"
import { outcomesMessage, readReportCommand } from "../../src/visitors/requests-report.ts"
import {
  outcomesOf,
  type RequestFacts,
  spansOf,
} from "../../src/visitors/requests-report-figures.ts"

const DAY_MS = 86_400_000
const NOW = Date.parse("2026-11-28T12:00:00Z")
const RANGE = { from: "2026-10-01", to: "2026-11-28" }
const KNOWN = {
  range: RANGE,
  now: NOW,
  projects: [],
  spans: [],
  isFollowed: true,
  gitHubHost: "github.com",
  knownFrom: undefined,
}
const link = (n: number) => `https://github.com/acme/docs/pull/${n}`

function request(daysAgo: number, more: Partial<RequestFacts> = {}): RequestFacts {
  const at = NOW - daysAgo * DAY_MS
  return { at, project: "docs", ending: "no_pull_request", endedAt: at + 60_000, ...more }
}

const merged = (daysAgo: number, n: number, afterDays: number): RequestFacts => ({
  ...request(daysAgo, { ending: "pull_request", prLink: link(n), pullEnd: "merged" }),
  pullEndedAt: NOW - daysAgo * DAY_MS + 60_000 + afterDays * DAY_MS,
})

const outcomesIn = (requests: RequestFacts[], range: Range = RANGE) => outcomesOf(requests, range)

describe("PUL-10: what came of the requests", () => {
  test("counts each pull request once, however many requests changed it, and nothing that was taken back or turned away", () => {
    const open = { ending: "pull_request", prLink: link(1) }
    const untold = ["cancelled", "not_allowed"].map((ending) => request(1, { ending }))
    const sent = [request(9, open), request(5, open), merged(8, 2, 2), request(3)]
    const all = outcomesIn([...sent, ...untold])
    expect(all).toMatchObject({ asked: 4, opened: 2, merged: 1, closed: 0 })
    expect(all.waiting).toEqual([{ prLink: link(1), openedAt: NOW - 9 * DAY_MS + 60_000 }])
  })

  test("a follow-up opens nothing again in a later period", () => {
    const pull = { prLink: link(1), pullEnd: "merged", pullEndedAt: NOW } as const
    const first = request(40, { ending: "pull_request", ...pull })
    const followUp = request(2, { ending: "failed", ...pull })
    const latest = daysBefore("2026-11-29", 7)
    expect(outcomesIn([first, followUp], latest)).toMatchObject({ asked: 1, opened: 0, merged: 0 })
    expect(spansOf([first, followUp], latest).some(({ opened }) => opened > 0)).toBe(false)
    const all = outcomesIn([first, followUp])
    expect(all).toMatchObject({ asked: 2, opened: 1, toMergeMs: 40 * DAY_MS - 60_000 })
  })

  test.each([
    ["oldest first", (both: RequestFacts[]) => both],
    ["newest first", (both: RequestFacts[]) => both.toReversed()],
  ])("a pull request closed under one request and merged under another is merged: %s", (_, put) => {
    const closed = { prLink: link(1), pullEnd: "closed", pullEndedAt: NOW - 5 * DAY_MS } as const
    const both = [request(9, { ending: "pull_request", ...closed }), merged(4, 1, 2)]
    const all = outcomesIn(put(both))
    expect(all).toMatchObject({ opened: 1, merged: 1, closed: 0, toMergeMs: 7 * DAY_MS })
  })

  test("names the median time to the merge, of an even number too", () => {
    const odd = outcomesIn([merged(9, 1, 1), merged(9, 2, 2), merged(9, 3, 6)])
    expect(odd.toMergeMs).toBe(2 * DAY_MS)
    expect(outcomesIn([merged(9, 1, 1), merged(9, 2, 2)]).toMergeMs).toBe(1.5 * DAY_MS)
    expect(outcomesIn([request(1)]).toMergeMs).toBeUndefined()
  })

  test.each([
    ["from its first whole week", 90, "Days are UTC. Chart from Sep 5."],
    ["of all its days", 14, "Days are UTC."],
  ])("says on which day the chart begins: %s", (_, days, says) => {
    const requests = Array.from({ length: 5 }, (_, n) => merged(9, n, 1))
    const range = daysBefore("2026-11-28", days)
    const drawn = { spans: spansOf(requests, range), all: outcomesIn(requests) }
    const facts = { ...KNOWN, range, ...drawn }
    const { text } = outcomesMessage(facts, { kind: "shared", by: "U1" }, "native")
    expect(text.endsWith(says)).toBe(true)
  })

  test("names what waits, the oldest first, and each of several projects", () => {
    const open = (daysAgo: number, n: number) => request(daysAgo, { prLink: link(n) })
    const all = outcomesIn([open(4, 1), open(9, 2), merged(8, 3, 2)])
    const projects = ["api", "docs"].map((name) => ({ name, outcomes: all }))
    const facts = { ...KNOWN, all, projects }
    const { text } = outcomesMessage(facts, { kind: "shared", by: "U1" }, "text")
    expect(text).toMatch(/Waiting, oldest first\n.*#2 .* 9 days\n.*#1 .* 4 days\n/)
    expect(text).toMatch(/By project\n.*api.* 3 .*1 merged.*\n.*docs.* 3 /)
  })

  test("never names a person, and says without a token that merges are unknown", () => {
    const facts = {
      ...KNOWN,
      range: { from: "2026-10-29", to: "2026-11-27" },
      all: outcomesIn([merged(3, 1, 1), request(2)]),
      isFollowed: false,
    }
    const { text } = outcomesMessage(facts, { kind: "private", id: "x", isDirect: false }, "text")
    expect(text).toMatch(/2 requests, 1 pull request opened/)
    expect(text).toMatch(/Set `GITHUB_TOKEN`/)
    expect(text).not.toMatch(/<@|merged ·/)
  })
})

test.each([
  ["report", { from: "2026-10-29", to: "2026-11-27" }],
  ["Report 7d", { from: "2026-11-21", to: "2026-11-27" }],
  ["report last month", { from: "2026-10-01", to: "2026-10-31", unit: "month" }],
  ["report 400d", { kind: "too_long", words: "400d" }],
  ["report tomorrow", { kind: "unknown", words: "tomorrow" }],
  ["report a wrong price on the plans page", undefined],
  ["reporting is broken", undefined],
  ["report: the price on the plans page is wrong", undefined],
  ["report-card page has a typo", undefined],
  ["report?", { from: "2026-10-29", to: "2026-11-27" }],
])("PUL-10: %j is the report, a sentence about what is possible, or a request", (typed, means) => {
  expect(readReportCommand(typed, "2026-11-28")).toEqual(means)
})
