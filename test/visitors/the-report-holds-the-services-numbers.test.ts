import { describe, expect } from "vitest"
import { addDays, HOUR_MS } from "../../src/lib/time.ts"
import { chartPoints } from "../../src/visitors/chart.ts"
import type { Range } from "../../src/visitors/range.ts"
import { PROJECT, useVisitors, type VisitorsBed } from "../helpers/visitors.ts"
import { chartIn, tableIn, typesIn, wordsIn } from "../helpers/visitors-blocks.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, buttonsOf, DOCS } from "../sandbox/slack/index.ts"

const { test, bed } = useVisitors()

const truth = ({ docs }: VisitorsBed, { from, to }: Range) =>
  docs.truth(PROJECT, from, addDays(to, 1))
const days = (from: string, to: string) => ({ from, to })
const number = (value: number) => value.toLocaleString("en-US")

/** Ranks the service's data independently of the bot's code. */
const ranked = (h: VisitorsBed, range: Range) =>
  [...truth(h, range).visitors].sort(
    (a, b) => b.total - a.total || b.human - a.human || (a.path < b.path ? -1 : 1),
  )
/** Returns a path as a message can show it: on one line, with at most 100 characters. */
const shownPath = (path: string) => {
  const line = path.replaceAll(/\s+/g, " ")
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

describe("VIS-4, VIS-7, VIS-11: the answer is private and holds the service's own numbers", () => {
  test.each([
    ["", days("2026-11-13", "2026-11-19"), days("2026-11-06", "2026-11-12")],
    ["today", days("2026-11-20", "2026-11-20"), days("2026-11-13", "2026-11-13")],
    ["last month", days("2026-10-01", "2026-10-31"), days("2026-09-01", "2026-09-30")],
  ])("of “%s”", async (words, range, compared) => {
    const h = await bed()
    const message = await h.ask(ADA, words)
    const { totals } = truth(h, range)
    const before = truth(h, compared).totals
    expect(totals.total).not.toBe(totals.human + totals.ai)
    const isRunning = words === "today"
    const inDays = words === "last month" ? " in 30 days" : ""
    const columns = { People: "human", AI: "ai", Total: "total" } as const
    for (const [name, of] of Object.entries(columns)) {
      const [now, was] = [number(totals[of]), number(before[of])]
      const shown = isRunning ? `${name} *${now}* so far · Nov 13: ${was}` : `${name} *${now}* · `
      expect(wordsIn(message)).toContain(shown)
      if (!isRunning) expect(message.text).toContain(`(was ${was}${inDays})`)
    }
    expect(wordsIn(message).includes(" · as of ")).toBe(isRunning)
    const points = chartPoints(range).map((point) => {
      const { human, ai } = truth(h, point).totals
      return { human, ai }
    })
    expect(chartIn(message)).toEqual(points.length === 1 ? undefined : points)
    const rows = ranked(h, range).slice(0, 5)
    expect(tableIn(message)).toEqual(rows.map((row) => ({ ...row, path: shownPath(row.path) })))
    expect(h.slack.channel(DOCS).messages()).toEqual([])
  })

  test("of today, which is read again after ten minutes, and yesterday, which is not", async (h) => {
    const spent = async (words: string) => {
      const { length } = h.analyticsRequests()
      await h.ask(ADA, words)
      return h.analyticsRequests().length - length
    }
    for (const words of ["today", "yesterday"]) await spent(words)
    await letExpire(h.services.workerRedis, 10 * 60_000)
    expect(await spent("today")).toBeGreaterThan(0)
    expect(await spent("yesterday")).toBe(0)
  })

  test("says so, too, of numbers that were read before the period was over", async (h) => {
    await h.at("2026-11-20T23:58Z")
    const today = await h.ask(ADA, "today")
    await h.at("2026-11-21T00:01Z")
    const yesterday = await h.ask(BEN, "yesterday")
    expect(tableIn(yesterday)).toEqual(tableIn(today))
    expect(wordsIn(yesterday)).toContain(" so far")
    expect(wordsIn(yesterday)).toContain(" · as of ")
    expect(JSON.stringify(yesterday.blocks)).not.toContain("visitors_changed")
  })
})

test("VIS-11: both dates are always sent, totals cost one row, and pages are read 250 at a time", async () => {
  const h = await bed({ docs: { visitors: { pages: 600 } } })
  await h.ask(ADA, "2026-11-17..2026-11-18")
  const read = (dateFrom: string, dateTo: string) => ({ dateFrom, dateTo })
  const whole = read("2026-11-17", "2026-11-19")
  const queries = h.analyticsRequests().map(({ query }) => query)
  expect(queries).toHaveLength(6)
  expect(queries).toEqual(
    expect.arrayContaining([
      { ...read("2026-11-15", "2026-11-17"), limit: "1", offset: "0" },
      { ...read("2026-11-17", "2026-11-18"), limit: "1", offset: "0" },
      { ...read("2026-11-18", "2026-11-19"), limit: "1", offset: "0" },
      { ...whole, limit: "250", offset: "0" },
      { ...whole, limit: "250", offset: "250" },
      { ...whole, limit: "250", offset: "500" },
    ]),
  )
})

test("VIS-10: the ranking reads ten pages at most, and says so", async () => {
  const h = await bed({ docs: { visitors: { pages: 3_000 } } })
  for (const words of ["90d", "90d /guides"])
    expect(wordsIn(await h.ask(ADA, words))).toContain("Based on the first 2,500 pages.")
  const pages = h.analyticsRequests().filter(({ query }) => query.limit === "250")
  expect(pages).toHaveLength(10)
})

test("VIS-3: the pages of a path come first, the title names it and the whole site is small print", async (h) => {
  const message = await h.ask(ADA, "last week /api")
  const matching = ranked(h, days("2026-11-09", "2026-11-15")).filter(({ path }) =>
    path.startsWith("/api"),
  )
  expect(typesIn(message).slice(0, 3)).toEqual(["header", "data_table", "context"])
  expect(message.text).toMatch(/^Docs visitors under \/api, Nov 9–15, 2026\nTop pages/)
  expect(message.text).toContain(` of ${matching.length}\n1. ${matching[0]?.path}: `)
  expect(tableIn(message).map(({ path }) => path)).toEqual(
    matching.slice(0, 5).map(({ path }) => path),
  )
  expect(wordsIn(message)).toContain("Whole site: People ")
  const changed = await h.use(ADA, message, "visitors_changed")
  const paths = changed.text.match(/(?<=\n)\/[^\s,]+/g) ?? []
  expect(paths.length).toBeGreaterThan(2)
  expect(paths.filter((path) => !path.startsWith("/api"))).toEqual([])
  const back = await h.use(ADA, changed, "visitors_back")
  const other = await h.use(ADA, back, "visitors_range", "Yesterday")
  expect(other.text).toMatch(/^Docs visitors under \/api, Nov 19/)
  const none = await h.ask(ADA, "/getting started with nothing 7d")
  for (const words of [wordsIn(none), none.text])
    expect(words).toContain("Top pages under /getting started with nothing: none.")
})

describe("VIS-6: the controls", () => {
  test("turn pages and change the range in place", async (h) => {
    const first = await h.ask(ADA, "last week")
    const paths = (from: number) =>
      ranked(h, { from: "2026-11-09", to: "2026-11-15" })
        .slice(from, from + 5)
        .map(({ path }) => shownPath(path))
    const spent = h.analyticsRequests().length
    const second = await h.use(ADA, first, "visitors_next")
    expect(tableIn(second).map(({ path }) => path)).toEqual(paths(5))
    const third = await h.use(ADA, second, "visitors_next")
    expect(third.text).toContain(", 11–15 of ")
    const back = await h.use(ADA, third, "visitors_previous")
    expect(tableIn(back)).toEqual(tableIn(second))
    // Both buttons keep their places on every page, so they lead around the ends.
    const start = await h.use(ADA, back, "visitors_previous")
    expect(buttonsOf(start)).toEqual(buttonsOf(second))
    const last = await h.use(ADA, start, "visitors_previous")
    expect(tableIn(await h.use(ADA, last, "visitors_next"))).toEqual(tableIn(first))
    expect(h.analyticsRequests()).toHaveLength(spent)
    const other = await h.use(ADA, back, "visitors_range", "Yesterday")
    expect(other.text).toContain("Docs visitors, Nov 19, 2026")
    expect(h.slack.ephemerals(ADA)).toHaveLength(1)
  })

  test("VIS-6: show what changed and what mostly AI reads, and lead back", async (h) => {
    const first = await h.ask(ADA, "last week")
    const changed = await h.use(ADA, first, "visitors_changed")
    const totals = (from: string, to: string) =>
      new Map(truth(h, { from, to }).visitors.map(({ path, total }) => [path, total]))
    const before = totals("2026-11-02", "2026-11-08")
    const rises = [...totals("2026-11-09", "2026-11-15")].map(([path, total]) => ({
      path,
      by: total - (before.get(path) ?? 0),
    }))
    const [most] = rises.sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
    const [by, was] = [most?.by ?? 0, before.get(most?.path ?? "") ?? 0]
    const change = `${number(was)} → ${number(was + by)} (${by > 0 ? "+" : "−"}${number(Math.abs(by))})`
    expect(changed.text).toContain(`, 2026\n${most?.path} ${change}\n`)
    const byAi = truth(h, { from: "2026-11-09", to: "2026-11-15" })
      .visitors.filter(({ human, ai, total }) => ai > human && total >= 20)
      .sort((a, b) => b.ai - a.ai)[0]
    expect(changed.text).toContain(`\nMostly read by AI\n${byAi?.path} AI ${byAi?.ai}, people`)
    expect(wordsIn(changed)).toMatch(/"rich_text_list".*"rich_text_section".*"rich_text_section"/)
    const back = await h.use(ADA, changed, "visitors_back")
    expect(tableIn(back)).toEqual(tableIn(first))
  })
})

describe("VIS-9: a workspace that does not take", () => {
  test("charts in private answers gets a table there, for an hour without another try", async () => {
    const h = await bed({ slack: { refuse: { charts: "private" } } })
    const outcomes = (method: string) =>
      h.slack.calls.filter((call) => call.method === method).map(({ error }) => error)
    const message = await h.ask(ADA, "last week")
    expect(typesIn(message)).toContain("table")
    expect(outcomes("response_url")).toEqual(["invalid_blocks", undefined])
    await h.ask(BEN, "30d")
    expect(outcomes("response_url")).toEqual(["invalid_blocks", undefined, undefined])
    await h.slack.as(ADA).click(message, "visitors_share")
    const shared = await h.botSays(/^Docs visitors/)
    expect(typesIn(shared)).toContain("data_visualization")
    await letExpire(h.services.workerRedis, HOUR_MS)
    await h.ask(BEN, "2 weeks")
    expect(outcomes("response_url").slice(3)).toEqual(["invalid_blocks", undefined])
  })

  test("charts nor tables gets text with the same numbers", async () => {
    const first = await bed()
    const full = await first.ask(ADA, "last week")
    // The bots share a store: the first one's worker would do the second one's work.
    await first.bot.worker?.stop()
    const h = await bed({ slack: { refuse: { charts: true, tables: true } } })
    const message = await h.ask(ADA, "last week")
    expect(typesIn(message)).not.toContain("table")
    expect(`${message.text} · chart: each visitor counts once a day`).toBe(full.text)
    for (const { human, ai, total } of tableIn(full))
      expect(wordsIn(message)).toContain(
        `: people ${number(human)}, AI ${number(ai)}, total ${number(total)}`,
      )
  })
})
