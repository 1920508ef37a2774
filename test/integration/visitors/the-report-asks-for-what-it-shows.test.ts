import { describe, expect, test } from "vitest"
import { buckets } from "../../../src/visitors/buckets.ts"
import { addDays } from "../../../src/visitors/day.ts"
import { periodBefore, type Range } from "../../../src/visitors/range.ts"
import { PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { chartIn, tableIn, typesIn, wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS, RANDOM } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()

const truth = ({ docs }: VisitorsBot, { from, to }: Range) =>
  docs.truth(PROJECT, from, addDays(to, 1))
const number = (value: number) => value.toLocaleString("en-US")

/** What the service holds, ranked by somebody else's code than ours. */
const ranked = (at: VisitorsBot, range: Range, by: "human" | "ai" | "total") =>
  [...truth(at, range).visitors].sort(
    (a, b) => b[by] - a[by] || b.total - a.total || b.human - a.human || (a.path < b.path ? -1 : 1),
  )
/** Paths as they can be shown: on one line, at most 100 characters. */
const shownPath = (path: string) => {
  const line = path.replaceAll(/\s+/g, " ")
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
const visitorRequests = ({ docs }: VisitorsBot) =>
  docs.requests.filter(({ kind }) => kind === "visitors")

test.each<[string, string, string]>([
  ["7d", "2026-11-13", "2026-11-19"],
  ["30d", "2026-10-21", "2026-11-19"],
  ["90d", "2026-08-22", "2026-11-19"],
  ["today", "2026-11-20", "2026-11-20"],
  ["yesterday", "2026-11-19", "2026-11-19"],
  ["this week", "2026-11-16", "2026-11-20"],
  ["last week", "2026-11-09", "2026-11-15"],
  ["last month", "2026-10-01", "2026-10-31"],
  ["2026-11-01..2026-11-07", "2026-11-01", "2026-11-07"],
  ["2025-12-28..2026-01-03", "2025-12-28", "2026-01-03"],
])("every figure of %s is the service's own", async (words, from, to) => {
  const at = await desk({ perHour: 1_000 })
  const range = { from, to }
  const message = await at.ask(ADA, DOCS, words)

  const { totals } = truth(at, range)
  const before = truth(at, periodBefore(range)).totals
  expect(wordsIn(message)).toContain(`People *${number(totals.human)}* · `)
  expect(wordsIn(message)).toContain(`AI *${number(totals.ai)}* · `)
  expect(wordsIn(message)).toContain(`All *${number(totals.total)}* · `)
  expect(message.text).toContain(`People ${number(totals.human)} (`)
  for (const figure of [before.human, before.ai, before.total])
    expect(message.text).toContain(`${number(figure)} before`)
  expect(totals.total).not.toBe(totals.human + totals.ai)

  const points = buckets(range)
  if (points.length === 1) expect(chartIn(message)).toBeUndefined()
  else
    expect(chartIn(message)).toEqual(
      points.map((point) => {
        const { human, ai } = truth(at, point).totals
        return { human, ai }
      }),
    )
  expect(tableIn(message)).toEqual(
    ranked(at, range, "total")
      .slice(0, 5)
      .map((row) => ({ ...row, path: shownPath(row.path) })),
  )
})

test.each([
  ["7d", "People and AI", /^(?!.*the chart shows)/],
  ["30d", "People and AI, 23 Oct – 19 Nov 2026", /the chart shows whole weeks only/],
  ["90d", "People and AI, 28 Aug – 19 Nov 2026", /the chart shows whole weeks only/],
  [
    "2025-10-01..2026-04-30",
    "People and AI, 3 Oct 2025 – 30 Apr 2026",
    /the chart shows whole 14-day spans only/,
  ],
])(
  "the chart of %s says which days it shows where it can't show them all",
  async (words, title, note) => {
    const charted = await (await desk({ perHour: 1_000 })).ask(ADA, DOCS, words)
    expect(charted.blocks).toContainEqual(
      expect.objectContaining({ type: "data_visualization", title }),
    )
    expect(wordsIn(charted)).toMatch(note)
    const at = await desk({ perHour: 1_000, slack: { refuse: { charts: true } } })
    expect(wordsIn(await at.ask(ADA, DOCS, words))).toContain(`*${title}*`)
  },
)

test("both dates are always sent, totals cost one row, and pages are read 250 at a time", async () => {
  const at = await desk({ docs: { visitors: { pages: 600 } } })
  await at.ask(ADA, DOCS, "2026-11-17..2026-11-18")

  const queries = visitorRequests(at).map(({ query }) => query)
  const days = (dateFrom: string, dateTo: string) => ({ dateFrom, dateTo })
  const whole = days("2026-11-17", "2026-11-19")
  expect(queries).toHaveLength(7)
  expect(queries).toEqual(
    expect.arrayContaining([
      { ...whole, limit: "1", offset: "0" },
      { ...days("2026-11-15", "2026-11-17"), limit: "1", offset: "0" },
      { ...days("2026-11-17", "2026-11-18"), limit: "1", offset: "0" },
      { ...days("2026-11-18", "2026-11-19"), limit: "1", offset: "0" },
      { ...whole, limit: "250", offset: "0" },
      { ...whole, limit: "250", offset: "250" },
      { ...whole, limit: "250", offset: "500" },
    ]),
  )
})

describe("the controls", () => {
  test("turn pages, sort and change the range in place", async () => {
    const at = await desk()
    const first = await at.ask(ADA, DOCS, "last week")
    const week = { from: "2026-11-09", to: "2026-11-15" }
    const paths = (by: "ai" | "total", from: number) =>
      ranked(at, week, by)
        .slice(from, from + 5)
        .map(({ path }) => shownPath(path))
    const spent = visitorRequests(at).length

    const second = await at.use(ADA, first, "visitors_next")
    expect(tableIn(second).map(({ path }) => path)).toEqual(paths("total", 5))
    const third = await at.use(ADA, second, "visitors_next")
    expect(third.text).toContain(", 11–15 of ")
    const back = await at.use(ADA, third, "visitors_previous")
    expect(tableIn(back)).toEqual(tableIn(second))

    const sorted = await at.use(ADA, back, "visitors_sort", "Sort by AI")
    expect(tableIn(sorted).map(({ path }) => path)).toEqual(paths("ai", 0))
    expect(visitorRequests(at)).toHaveLength(spent)

    const other = await at.use(ADA, sorted, "visitors_range", "Yesterday")
    expect(other.text).toContain("Docs visitors, 19 Nov 2026")
    expect(other.text).toContain("Top pages by AI visitors")
    expect(at.slack.ephemerals(ADA)).toHaveLength(1)
  })

  test("end at the last page", async () => {
    const at = await desk({ docs: { visitors: { pages: 8 } } })
    const first = await at.ask(ADA, DOCS, "30d")
    const last = await at.use(ADA, first, "visitors_next")
    expect(tableIn(last)).toHaveLength(3)
    await expect(at.use(ADA, last, "visitors_next")).rejects.toThrow("0 elements match")
  })

  test("show what changed and lead back", async () => {
    const at = await desk()
    const first = await at.ask(ADA, DOCS, "last week")
    const changed = await at.use(ADA, first, "visitors_changed")
    expect(changed.text).toContain("What changed, 9–15 Nov 2026")
    const now = new Map(
      truth(at, { from: "2026-11-09", to: "2026-11-15" }).visitors.map((row) => [
        row.path,
        row.total,
      ]),
    )
    const before = new Map(
      truth(at, { from: "2026-11-02", to: "2026-11-08" }).visitors.map((row) => [
        row.path,
        row.total,
      ]),
    )
    const rises = [...now].map(([path, total]) => ({ path, by: total - (before.get(path) ?? 0) }))
    const [most] = rises.sort((a, b) => b.by - a.by)
    expect(changed.text).toContain(`Biggest gains: ${most?.path} `)
    const back = await at.use(ADA, changed, "visitors_back")
    expect(tableIn(back)).toEqual(tableIn(first))
  })

  test("of an old report answer politely", async () => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "7d")
    await at.redis.flushall()
    const same = await at.use(ADA, report, "visitors_next")
    expect(same.revision).toBe(report.revision)
    expect(at.told(ADA).text).toContain("report has expired")
  })
})

describe("sharing", () => {
  test("posts the report without controls, once", async () => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "7d /api")
    await at.use(ADA, report, "visitors_share")
    await at.use(ADA, report, "visitors_share")
    const [posted, ...more] = at.slack.channel(DOCS).messages()
    expect(more).toEqual([])
    expect(posted && tableIn(posted)).toEqual(tableIn(report))
    expect(posted && typesIn(posted)).not.toContain("actions")
    expect(posted && wordsIn(posted)).toContain(`Shared by <@${ADA}>`)
    expect(at.told(ADA).text).toContain("Already shared in this channel")
  })

  test("where the bot is no member answers privately, and works once it was invited", async () => {
    const at = await desk()
    const report = await at.ask(ADA, RANDOM, "7d")
    expect(report.text).toContain("People")
    await at.use(ADA, report, "visitors_share")
    expect(at.told(ADA).text).toContain("`/invite @Docs Agent`")
    expect(at.slack.channel(RANDOM).messages()).toEqual([])
  })
})

describe("a share that Slack does not take says what helps", () => {
  test.each([
    [{ kind: "rate_limited", retryAfter: 1 }, /Wait a minute, then share again/],
    [{ kind: "error", error: "is_archived" }, /archived. Ask in another one/],
    [{ kind: "reset", when: "after" }, /If nothing appears .* ask for a new report/],
  ] as const)("%o", async (mishap, says) => {
    const at = await desk()
    const report = await at.ask(ADA, DOCS, "7d")
    at.slack.fail({ ...mishap, method: "chat.postMessage", times: 1 })
    await at.use(ADA, report, "visitors_share")
    expect(at.told(ADA).text).toMatch(says)
    expect(at.told(ADA).text).not.toContain("/invite")
  })
})

describe("a workspace that does not take", () => {
  test("charts gets a table and the same numbers, and is asked once", async () => {
    const at = await desk({ slack: { refuse: { charts: true } } })
    const message = await at.ask(ADA, DOCS, "last week")
    expect(typesIn(message)).toContain("table")
    expect(tableIn(message)).toHaveLength(5)
    const calls = () => at.slack.calls.filter(({ method }) => method === "response_url")
    expect(calls().map(({ error }) => error)).toEqual(["invalid_blocks", undefined])
    await at.ask(BEN, DOCS, "last week")
    expect(calls()).toHaveLength(3)
  })

  test("charts nor tables gets text with the same numbers", async () => {
    const rich = await desk()
    const full = await rich.ask(ADA, DOCS, "last week")
    const at = await desk({ slack: { refuse: { charts: true, tables: true } } })
    const message = await at.ask(ADA, DOCS, "last week")
    expect(typesIn(message)).not.toContain("table")
    expect(message.text).toBe(full.text)
    for (const { human, ai, total } of tableIn(full))
      expect(wordsIn(message)).toMatch(
        new RegExp(`\\d\\. .*: people ${number(human)}, AI ${number(ai)}, all ${number(total)}`),
      )
    await at.use(ADA, message, "visitors_share")
    expect(at.slack.channel(DOCS).messages()).toHaveLength(1)
  })

  test.each(["invalid_blocks", "invalid_arguments", "bare_word", "odd_body"] as const)(
    "charts gets a table, also where it says so by %s",
    async (words) => {
      const at = await desk({ slack: { refuse: { charts: ["ephemeral"], words } } })
      const message = await at.ask(ADA, DOCS, "last week")
      expect(typesIn(message)).toContain("table")
      await at.use(ADA, message, "visitors_share")
      const [shared] = at.slack.channel(DOCS).messages()
      expect(JSON.stringify(shared?.blocks)).toContain("data_visualization")
    },
  )

  test("private charts costs the channel nothing, nor the other way round", async () => {
    const at = await desk({ slack: { refuse: { charts: ["channel"] } } })
    const message = await at.ask(ADA, DOCS, "last week")
    expect(typesIn(message)).toContain("data_visualization")
    await at.use(ADA, message, "visitors_share")
    const [shared] = at.slack.channel(DOCS).messages()
    expect(JSON.stringify(shared?.blocks)).not.toContain("data_visualization")
    expect(typesIn(await at.ask(BEN, DOCS, "last week"))).toContain("data_visualization")
  })

  test("a message for another reason is not tried again without its chart", async () => {
    const at = await desk()
    at.slack.fail({ kind: "status", status: 404, method: "response_url" })
    await at.ask(ADA, DOCS, "last week").catch(() => undefined)
    expect(at.slack.calls.filter(({ method }) => method === "response_url").length).toBeLessThan(3)
  })
})
