import { describe, expect, it } from "vitest"
import { reportMessage } from "../../../src/messages/visitors/report.ts"
import type { Message } from "../../../src/ports/message.ts"
import { type FallbackLevel, fallbackLevels } from "../../../src/visitors/fallback-level.ts"
import type { Report } from "../../../src/visitors/report.ts"
import {
  expectSafe,
  ODD_PATHS,
  PRIVATE,
  RANGE,
  READ_AT,
  reportOf,
} from "../../helpers/visitors-facts.ts"

const render = (facts: Report, rung: FallbackLevel = "chart") => reportMessage(facts, PRIVATE, rung)

const types = (message: Message) => message.blocks.map(({ type }) => type)
const words = (message: Message) => JSON.stringify(message.blocks)

describe("a report", () => {
  it("says the numbers to the digit, with their changes, for eyes and for screen readers", () => {
    const { text, blocks } = render(reportOf(["/quickstart"]))
    expect(text).toBe(
      "Docs visitors, 13–19 Nov 2026 (UTC). " +
        "People 1,234 (▲ up 12%, 1,100 before), AI 567 (▼ down 6%, 600 before), All 1,700 (▲ up 1%, 1,690 before). " +
        "About 33% were AI. " +
        "Some count as both, so the two don't add up. " +
        "Top pages by all visitors, 1–1 of 25: 1. /quickstart: people 90, AI 40, all 120.",
    )
    expect(blocks[1]).toMatchObject({
      fields: [
        { text: "People *1,234* · ▲ up 12%, 1,100 before" },
        { text: "AI *567* · ▼ down 6%, 600 before" },
        { text: "All *1,700* · ▲ up 1%, 1,690 before" },
      ],
    })
  })

  it("calls half a day against a whole one no fall", () => {
    const { text, blocks } = render(reportOf([], { running: true }))
    expect(text).toContain("People 1,234 (so far, 1,100 before), AI 567 (so far, 600 before)")
    expect(JSON.stringify(blocks)).not.toMatch(/[▲▼]/)
  })

  it.each(fallbackLevels)("is taken by Slack with any path on the rung of the %s", (rung) => {
    for (const audience of [
      PRIVATE,
      { kind: "shared", by: "U0ADA" },
      { kind: "digest", rhythm: "The weekly digest" },
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
    expect(messages.map(types)).toEqual([
      ["header", "section", "data_visualization", "data_table", "actions", "actions", "context"],
      ["header", "section", "section", "section", "table", "actions", "actions", "context"],
      ["header", "section", "section", "section", "section", "actions", "actions", "context"],
    ])
    expect(new Set(messages.map(({ text }) => text)).size).toBe(1)
    for (const message of messages) expect(words(message)).toContain("1,234")
    expect(words(messages[2] as Message)).toContain("1. /quickstart: people 90, AI 40, all 120")
  })

  it("shows people and AI for each stretch in the chart, and never a sum of the two", () => {
    const [, , drawn] = render(reportOf([])).blocks
    expect(drawn).toMatchObject({
      chart: {
        type: "bar",
        series: [
          { name: "People", data: Array(7).fill({ value: 1234 }) },
          { name: "AI", data: Array(7).fill({ value: 567 }) },
        ],
        axis_config: {
          categories: ["13 Nov", "14 Nov", "15 Nov", "16 Nov", "17 Nov", "18 Nov", "19 Nov"],
        },
      },
    })
  })

  it("has controls for its reader only", () => {
    const facts = reportOf(["/a"])
    expect(types(reportMessage(facts, { kind: "shared", by: "U0ADA" }, "chart"))).not.toContain(
      "actions",
    )
    expect(types(reportMessage(facts, { kind: "digest", rhythm: "x" }, "chart"))).not.toContain(
      "actions",
    )
  })

  it("never puts a path or a filter into the value of a control", () => {
    const question = {
      project: "docs",
      range: RANGE,
      by: "ai",
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
    const why = { fault: "rate_limited", retryAt: READ_AT + 600_000 } as const
    const message = render(
      reportOf([], {
        before: { known: false, why },
        trend: { known: false, why },
        table: { known: false, why: { fault: "server_error" } },
      }),
    )
    expectSafe(message)
    expect(message.text).toContain("People 1,234 (change not known)")
    expect(words(message)).toContain(
      "No chart: the hour's requests for visitor numbers are used up until around <!date^1795176600^",
    )
    expect(words(message)).toContain("No pages: the documentation service sent an unusable answer.")
    expect(words(message)).toContain("not compared")
  })

  it("says so when it ranked the first rows only, when rows moved and when days still run", () => {
    const table = {
      rows: [],
      page: 1,
      pages: 1,
      matched: 0,
      ranked: 2500,
      end: "cut",
      repeats: 3,
    } as const
    const cut = render(
      reportOf([], { running: true, table: { known: true, value: { ...table, rows: [] } } }),
    )
    expect(words(cut)).toContain("Ranked from the first 2,500 pages")
    expect(words(cut)).toContain("3 rows came twice")
    expect(words(cut)).toContain("today isn't over yet")
    const stopped = render(
      reportOf([], { table: { known: true, value: { ...table, rows: [], end: "empty_page" } } }),
    )
    expect(words(stopped)).toContain("announced more pages after 2,500 but sent none")
  })

  it("says that the figures are of the whole site when pages are filtered", () => {
    const question = {
      project: "docs",
      range: RANGE,
      by: "total",
      page: 1,
      filter: "<!here>*",
    } as const
    for (const rung of fallbackLevels) {
      const message = render(reportOf(["/a"], { question }), rung)
      expectSafe(message)
      expect(message.blocks[1]).toMatchObject({ elements: [{ text: "*Whole site*" }] })
      expect(words(message)).toContain("Top pages matching")
    }
  })
})
