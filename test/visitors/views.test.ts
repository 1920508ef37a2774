import { describe, expect, it, test } from "vitest"
import { type FallbackLevel, fallbackLevels } from "../../src/slack/message-fallback.ts"
import type { Message } from "../../src/slack/message-types.ts"
import { alertMessage } from "../../src/visitors/alerts.ts"
import { chartPoints } from "../../src/visitors/chart.ts"
import { digestMessage } from "../../src/visitors/digest.ts"
import { changeMessage } from "../../src/visitors/page-changes.ts"
import type { Range } from "../../src/visitors/range.ts"
import type { Report } from "../../src/visitors/read-report.ts"
import { changeWords, reportMessage } from "../../src/visitors/report-message.ts"
import type { Watch } from "../../src/visitors/scheduled-posts.ts"
import { listOfPosts, turnedOn } from "../../src/visitors/subscription-notices.ts"
import { checkMessage } from "../helpers/block-kit.ts"
import { ODD_PATHS, PRIVATE, RANGE, reportOf } from "../helpers/visitors-facts.ts"

const NONE = { human: 0, ai: 0, total: 0 }
const render = (facts: Report, rung: FallbackLevel = "native") =>
  reportMessage(facts, PRIVATE, rung)

const expectTaken = (message: Message) => expect(checkMessage(message)).toEqual([])
const words = (message: Message) => JSON.stringify(message.blocks)

it("a monthly digest promises no day, because east of UTC the month ends on the second", () => {
  const rhythm = { every: "monthly", hour: 9, minute: 0 } as const
  const place = { project: "docs", user: "U0ADA", zone: "Pacific/Auckland" }
  expect(turnedOn([], { kind: "digest", ...place, ...rhythm }).text).toContain(
    "post it at the start of each month at 9:00 AM (Auckland time).",
  )
})

test("a list names all that a channel gets, however many projects that is of", () => {
  const post = { what: "weekly on Mondays at 9:00 AM", user: "U0ADA", dueAt: undefined }
  const posts = Array.from({ length: 60 }, (_, n) => ({ ...post, project: `handbook-${n}` }))
  const list = listOfPosts("digest", posts)
  expect(words(list).match(/\*Weekly /g)).toHaveLength(posts.length)
  expectTaken(list)
})

test("one is no plural, and what is not all gone is not down by 100%", () => {
  const odd = { visitors: 1, usual: 1000, project: "docs", report: "x" }
  const people = { kind: "alert", project: "docs", of: "human", user: "U0ADA" } as const
  const textOf = (watch: Partial<Watch>) =>
    alertMessage("2026-11-13", [{ ...odd, watch: { ...people, ...watch } }]).text
  expect(textOf({})).toContain(": 1 person, down over 99% from the usual 1,000")
  expect(textOf({ of: "ai" })).toContain(": 1 AI visitor, ")
  expect(textOf({ filter: "/a" })).toContain(": 1 page visit by people under /a, ")
  expect(changeWords(0, 1000)).toBe("▼ 100%")
  expect(changeWords(2000, 1000)).toBe("▲ 100%")
  expect(changeWords(1001, 1000)).toBe("▲ under 1%")
})

test("the period before is named with its year where that is another one", () => {
  const year = (of: number) => ({ from: `${of}-01-01`, to: `${of}-12-31` })
  const facts = {
    selection: { project: "docs", range: year(2025), page: 1 },
    previous: year(2024),
    trend: undefined,
  }
  const changed = { ...facts, project: "docs", changes: [], mostlyAi: [], whole: true }
  for (const message of [
    render(reportOf([], facts)),
    digestMessage(reportOf([], facts), "text"),
    changeMessage(changed, PRIVATE.id),
  ])
    expect(words(message)).toContain("vs Jan 1 – Dec 31, 2024")
  const running = reportOf([], { ...facts, running: true })
  expect(render(running).text).toContain("so far · Jan 1 – Dec 31, 2024: 1,100")
})

test("VIS-5: months of different lengths are compared by their daily means", () => {
  const month = (from: string, to: string) => ({ from, to, unit: "month" as const })
  const selection = { project: "docs", range: month("2026-10-01", "2026-10-31"), page: 1 }
  const figures = { human: 3100, ai: 6200, total: 9300 }
  const before = { human: 3000, ai: 3000, total: 9300 }
  const previous = month("2026-09-01", "2026-09-30")
  const { text } = render(reportOf([], { selection, figures, before, previous }))
  expect(text).toContain("People 3,100 · no change (was 3,000 in 30 days)")
  expect(text).toContain("AI 6,200 · ▲ 100% a day (was 3,000 in 30 days)")
})

test.each([
  [{ human: 70, ai: 40, total: 100 }, "About 40% AI · some visitors count as both people and AI"],
  [{ human: 60, ai: 40, total: 100 }, "About 40% AI"],
  [{ human: 999, ai: 1, total: 1000 }, "Less than 1% AI"],
  [{ human: 100, ai: 0, total: 100 }, "0% AI"],
  [{ human: 0, ai: 100, total: 100 }, "100% AI"],
  [{ human: 90, ai: 120, total: 100 }, "Some visitors count as both people and AI"],
])("the share of AI in %o is “%s”, with an overlap only where there is one", (figures, says) => {
  const { text } = render(reportOf([], { figures }))
  expect(text.split("\n")).toContain(says)
  expect(text.includes("as both")).toBe(says.includes("as both"))
})

test("a chart of whole weeks names its first day, unless it begins with the range", () => {
  const drawn = (range: Range) => {
    const trend = chartPoints(range).map((point) => ({ range: point, figures: NONE }))
    return words(render(reportOf([], { trend, selection: { project: "docs", range, page: 1 } })))
  }
  const [weeks, days] = [{ ...RANGE, from: "2026-08-22" }, RANGE]
  expect(drawn(weeks)).toContain("· chart from Aug 28: each visitor counts once a week")
  expect(drawn(days)).toContain("· chart: each visitor counts once a day")
})

test("what changed cuts the paths that are too long for a line", () => {
  const path = `/${"a".repeat(300)}`
  const facts = { selection: { project: "docs", range: RANGE, page: 1 }, previous: RANGE }
  const changes = [{ path, now: 30, before: 12 }]
  const mostlyAi = [{ path, human: 1, ai: 30, total: 30 }]
  const shown = { ...facts, project: "docs", changes, mostlyAi, whole: true }
  const { text } = changeMessage(shown, PRIVATE.id)
  expect(text).toMatch(/a… 12 → 30[\s\S]*a… AI 30/)
  expect(text).not.toMatch(/a{120}/)
})

test("numbers behind a path in Hebrew or Arabic keep their order, others have no mark", () => {
  const of = (filter: string) => {
    const selection = { project: "docs", range: RANGE, page: 1, filter }
    const changes = [{ path: filter, now: 30, before: 12 }]
    const facts = { project: "docs", previous: RANGE, mostlyAi: [], whole: true }
    const report = render(reportOf(["/a"], { selection, trend: undefined }))
    return JSON.stringify([report, changeMessage({ ...facts, selection, changes }, PRIVATE.id)])
  }
  for (const path of ["/שלום", "/مرحبا"]) {
    expect(of(path).match(/.(?=, 1 of 25)/g)).toEqual(["\u200e", "\u200e"])
    expect(of(path)).toContain(`${path}\u200e 12 → 30`)
  }
  expect(of("/日本語/é")).not.toContain("\u200e")
})

describe("a report", () => {
  it.each(fallbackLevels)("is taken by Slack with any path on the rung of the %s", (rung) => {
    for (const audience of [
      PRIVATE,
      { kind: "shared", by: "U0ADA" },
      { kind: "digest", lead: "*Docs traffic for Nov 13–19*: 1" },
    ] as const) {
      const long = ODD_PATHS.slice(2).map(() => "👩‍👩‍👧‍👦".repeat(99))
      for (const paths of [ODD_PATHS.slice(0, 10), ODD_PATHS.slice(2), long])
        expectTaken(reportMessage(reportOf(paths), audience, rung))
    }
  })

  it("never puts a path or a filter into the value of a control", () => {
    const selection = { project: "docs", range: RANGE, page: 2, filter: "/secret" }
    const shown = words(render(reportOf(["/hidden"], { selection })))
    const values = Array.from(shown.matchAll(/"value":"([^"]*)"/g), ([, value]) => value)
    expect(values.length).toBeGreaterThan(10)
    for (const value of values) expect(value).toMatch(/^abcDEF-_0123456789(\.[a-z0-9 ]+)?$/)
  })

  it("is taken by Slack with any path asked for, which comes first", () => {
    for (const filter of ["/guides", ...ODD_PATHS.filter((path) => path.trim() !== "")])
      for (const rung of fallbackLevels) {
        const selection = { project: "docs", range: RANGE, page: 1, filter }
        const message = render(reportOf(["/a"], { selection, trend: undefined }), rung)
        expectTaken(message)
        expect(words(message)).toContain("Whole site: People 1,234")
        expect(words(message).indexOf("Top pages under")).toBeLessThan(
          words(message).indexOf("Whole site"),
        )
      }
  })
})
