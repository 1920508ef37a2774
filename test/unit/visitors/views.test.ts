import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/messages/blocks.ts"
import { subscribed } from "../../../src/messages/visitors/digest.ts"
import { reportMessage } from "../../../src/messages/visitors/report.ts"
import { type FallbackLevel, fallbackLevels } from "../../../src/visitors/fallback.ts"
import type { Report } from "../../../src/visitors/report.ts"
import {
  expectSafe,
  ODD_PATHS,
  PRIVATE,
  RANGE,
  READ_AT,
  reportOf,
  tableOf,
} from "../../helpers/visitors-facts.ts"

const render = (facts: Report, rung: FallbackLevel = "chart") => reportMessage(facts, PRIVATE, rung)

const types = (message: Message) => message.blocks.map(({ type }) => type)
const words = (message: Message) => JSON.stringify(message.blocks)

it("a monthly digest promises no day, because east of UTC the month ends on the second", () => {
  const rhythm = { every: "monthly", hour: 9, minute: 0 } as const
  const place = { channel: "C0DOCS", project: "docs", user: "U0ADA", zone: "Pacific/Auckland" }
  expect(subscribed({ ...place, rhythm }, () => undefined).text).toContain(
    "digest at the start of each month at 9:00 AM (Auckland time)",
  )
})

describe("a report", () => {
  it("says the numbers to the digit, with their changes, for eyes and for screen readers", () => {
    const { text, blocks } = render(reportOf(["/quickstart"]))
    expect(text).toBe(
      "Docs visitors, Nov 13–19, 2026 (UTC). " +
        "People 1,234 · ▲ 12% (was 1,100), AI 567 · ▼ 6% (was 600), Total 1,700 · ▲ 1% (was 1,690). " +
        "About 33% AI · some visitors count as both people and AI. " +
        "Top pages, 1–1 of 25: 1. /quickstart: people 90, AI 40, total 120.",
    )
    expect(blocks[1]).toMatchObject({
      fields: [
        { text: "People *1,234* · ▲ 12% (was 1,100)" },
        { text: "AI *567* · ▼ 6% (was 600)" },
        { text: "Total *1,700* · ▲ 1% (was 1,690)" },
      ],
    })
  })

  it("calls half a day against a whole one no fall", () => {
    const { text, blocks } = render(reportOf([], { running: true }))
    expect(text).toContain("People 1,234 so far · Nov 6–12: 1,100, AI 567 so far · Nov 6–12: 600")
    expect(JSON.stringify(blocks)).not.toMatch(/[▲▼]/)
  })

  it.each(fallbackLevels)("is taken by Slack with any path on the rung of the %s", (rung) => {
    for (const audience of [
      PRIVATE,
      { kind: "shared", by: "U0ADA" },
      { kind: "digest", lead: "*Docs traffic for Nov 13–19*: 1", aside: "manage" },
    ] as const) {
      expectSafe(reportMessage(reportOf(ODD_PATHS.slice(0, 10)), audience, rung))
      expectSafe(reportMessage(reportOf(ODD_PATHS.slice(2)), audience, rung))
      expectSafe(
        reportMessage(
          reportOf(ODD_PATHS.map(() => "👩‍👩‍👧‍👦".repeat(99)).slice(2)),
          audience,
          rung,
        ),
      )
    }
  })

  it("falls from chart and data table over table to text, with the same numbers", () => {
    const messages = fallbackLevels.map((rung) => render(reportOf(["/quickstart"]), rung))
    const head = ["header", "section", "context"]
    const end = ["actions", "actions", "context"]
    expect(messages.map(types)).toEqual([
      [...head, "data_visualization", "data_table", ...end],
      [...head, "section", "table", ...end],
      [...head, "section", "section", ...end],
    ])
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1)
    for (const message of messages) expect(words(message)).toContain("1,234")
    expect(words(messages[2] as Message)).toContain("1. /quickstart: people 90, AI 40, total 120")
  })

  it("shows people and AI for each stretch in the chart, and never a sum of the two", () => {
    const [, , , drawn] = render(reportOf([])).blocks
    expect(drawn).toMatchObject({
      chart: {
        type: "bar",
        series: [
          { name: "People", data: Array(7).fill({ value: 1234 }) },
          { name: "AI", data: Array(7).fill({ value: 567 }) },
        ],
        axis_config: {
          categories: ["Nov 13", "Nov 14", "Nov 15", "Nov 16", "Nov 17", "Nov 18", "Nov 19"],
        },
      },
    })
  })

  it("has controls for its reader only", () => {
    const facts = reportOf(["/a"])
    expect(types(reportMessage(facts, { kind: "shared", by: "U0ADA" }, "chart"))).not.toContain(
      "actions",
    )
    expect(
      types(reportMessage(facts, { kind: "digest", lead: "x", aside: "y" }, "chart")),
    ).not.toContain("actions")
  })

  it("never puts a path or a filter into the value of a control", () => {
    const question = {
      project: "docs",
      range: RANGE,
      page: 2,
      filter: "/secret",
    } as const
    const { blocks } = render(reportOf(["/hidden"], { question }))
    const values = Array.from(
      JSON.stringify(blocks).matchAll(/"value":"([^"]*)"/g),
      ([, value]) => value,
    )
    expect(values.length).toBeGreaterThan(10)
    for (const value of values) expect(value).toMatch(/^abcDEF-_0123456789(\.[a-z0-9 ]+)?$/)
  })

  it("says what is missing, and why, and shows no number in its place", () => {
    const message = render(
      reportOf([], {
        before: undefined,
        trend: undefined,
        table: undefined,
        missing: { fault: "rate_limited", retryAt: READ_AT + 600_000 },
      }),
    )
    expectSafe(message)
    expect(message.text).toContain("People 1,234, AI 567")
    expect(words(message)).toContain(
      "Couldn't load some numbers: the hourly analytics limit has been reached. Try again around <!date^1795176600^",
    )
    expect(words(message)).not.toContain("vs Nov")
  })

  it("says so when it ranked the first rows only, when rows moved and when days still run", () => {
    const table = tableOf([], { ranked: 2500, isCut: true, isDoubtful: true })
    const { blocks } = render(reportOf([], { running: true, table }))
    expect(JSON.stringify(blocks)).toContain(
      "Based on the first 2,500 pages. Some pages may be missing.",
    )
    expect(JSON.stringify(blocks)).toContain(" · updated ")
  })

  it("is taken by Slack with any path asked for, which comes first", () => {
    for (const filter of ["/guides", ...ODD_PATHS.filter((path) => path.trim() !== "")])
      for (const rung of fallbackLevels) {
        const question = { project: "docs", range: RANGE, page: 1, filter }
        const message = render(reportOf(["/a"], { question, trend: undefined }), rung)
        expectSafe(message)
        expect(words(message)).toContain("Whole site: People 1,234")
        expect(words(message).indexOf("Top pages under")).toBeLessThan(
          words(message).indexOf("Whole site"),
        )
      }
  })
})
