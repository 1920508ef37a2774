import { describe, expect, test } from "vitest"
import { pageToImprove } from "../../../src/handlers/visitors/actions.ts"
import { PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { chartIn, tableIn, typesIn, wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const requests = ({ docs }: VisitorsBot) => docs.requests.filter(({ kind }) => kind === "visitors")

describe("what cannot be asked", () => {
  test.each([
    ["2026-02-30", "2026-02-30 isn't a date"],
    ["2026-11-07..2026-11-01", "ends before it starts"],
    ["2026-12-24", "is in the future"],
    ["2016-11-20..2026-11-19", "more than a year"],
    ["10 years", "didn't understand “10 years”"],
    ["7 dayz", "didn't understand “7 dayz”"],
    ["<script>", "didn't understand “&lt;script&gt;”"],
    ["7d by robots", "didn't understand “by robots”"],
    ["subscribe hourly", "I don't know when “hourly” is"],
  ])("%s", async (words, answer) => {
    const at = await desk()
    const message = await at.ask(ADA, DOCS, words)
    expect(message.text).toContain(answer)
    expect(message.text.match(/• `\/docs-visitors/g)).toHaveLength(3)
    expect(requests(at)).toHaveLength(0)
  })

  test("help says what can", async () => {
    const at = await desk()
    expect((await at.ask(ADA, DOCS, "help")).text).toContain("Days are UTC and both ends count")
  })
})

describe("a filter", () => {
  test.each([
    ["7d /guides", (path: string) => path.startsWith("/guides")],
    ["/guides/*/best-practices 7d", (path: string) => /^\/guides\/.*\/best-practices$/.test(path)],
    ["7d *認証", (path: string) => path.endsWith("認証")],
    ["7d <!channel>*", (path: string) => path.startsWith("<!channel>")],
  ])("%s ranks the pages that match, of all pages", async (words, matches) => {
    const at = await desk()
    const message = await at.ask(ADA, DOCS, words)
    const all = at.docs.truth(PROJECT, "2026-11-13", "2026-11-20").visitors
    const matching = all.filter(({ path }) => matches(path))
    expect(matching.length).toBeGreaterThan(0)
    expect(message.text).toContain(` of ${matching.length}: `)
    expect(new Set(tableIn(message).map(({ path }) => path))).toEqual(
      new Set(
        matching
          .sort((a, b) => b.total - a.total)
          .slice(0, 5)
          .map(({ path }) => path),
      ),
    )
    expect(wordsIn(message)).toContain("*Whole site*")
  })

  test("that matches nothing says so", async () => {
    const at = await desk()
    const message = await at.ask(ADA, DOCS, "7d /getting started with nothing")
    expect(wordsIn(message)).toContain(
      "matching /getting started with nothing by all visitors: none.",
    )
  })
})

test("a project without any visitor costs two requests and says nobody came", async () => {
  const at = await desk({ docs: { visitors: { empty: true } } })
  const message = await at.ask(ADA, DOCS, "30d")
  expect(message.text).toContain("People 0 (no change, 0 before)")
  expect(wordsIn(message)).toContain("No visitors in this period.")
  expect(requests(at)).toHaveLength(2)
})

test("pages with odd names are shown as they are, and can be improved", async () => {
  const at = await desk({ docs: { visitors: { pages: 60 } } })
  const message = await at.ask(ADA, DOCS, "7d <!channel>*")
  const [row] = tableIn(message)
  expect(row?.path.startsWith("<!channel>")).toBe(true)
  const used = await at.slack.as(ADA).select(message, "visitors_improve", `1. ${row?.path}`)
  expect(used.status).toBe(200)
  const value = /"value":"([^"]+\.0)"/.exec(wordsIn(message))?.[1] ?? ""
  expect(await pageToImprove(at.deps, { user: ADA, value })).toEqual({
    project: PROJECT,
    initial: `Improve the page ${row?.path} (${row?.human} people and ${row?.ai} AI visitors in the last 7 days): `,
  })
  expect(await pageToImprove(at.deps, { user: BEN, value })).toBeUndefined()
  expect(await pageToImprove(at.deps, { user: ADA, value: "gone.0" })).toBeUndefined()
})

describe("a service that", () => {
  test("is down is said to be, and nothing else", async () => {
    const at = await desk()
    await at.docs.close()
    const message = await at.ask(ADA, DOCS, "7d")
    expect(message.text).toContain("couldn't be reached")
    expect(message.text).not.toMatch(/\bPeople\b/)
  })

  test("stumbles once is asked once more", async () => {
    const at = await desk()
    at.docs.fail({ type: "status", status: 503, kind: "visitors", times: 1 })
    expect((await at.ask(ADA, DOCS, "7d")).text).toContain("People")
  })

  test("fails in the middle of the export gives figures and no part of the pages", async () => {
    const at = await desk({ docs: { visitors: { pages: 800 } } })
    const range = { from: "2026-11-13", to: "2026-11-13" }
    const question = { project: PROJECT, range, by: "total", page: 1 } as const
    await at.deps.ask.report(question, { kind: "person", user: ADA })
    at.docs.subscribe((event) => {
      const wasSecondPage = event.type === "request" && event.request.query.offset === "250"
      if (wasSecondPage) at.docs.fail({ type: "status", status: 500, kind: "visitors", times: 6 })
    })
    const message = await at.ask(ADA, DOCS, "2026-11-13..2026-11-14")
    expect(message.text).toContain("People")
    expect(message.text).not.toContain("Top pages")
    expect(typesIn(message)).not.toContain("data_table")
    expect(wordsIn(message)).toContain("No pages: the documentation service ")
  })

  test.each([
    [{ type: "expired_key" } as const, "rejected the API key"],
    [{ type: "forbidden" } as const, "isn't allowed to read visitor numbers"],
    [{ type: "hang" } as const, "took too long"],
    [
      { type: "missing_field", path: "totals.ai" } as const,
      "unusable answer (totals.ai: is no number)",
    ],
    [
      { type: "field", path: "totals.human", value: -3 } as const,
      "unusable answer (totals.human: is negative)",
    ],
    [{ type: "status", status: 502, body: "html" } as const, "sent an unusable answer"],
  ])("answers with %j is explained", async (fault, words) => {
    const at = await desk(fault.type === "hang" ? { timeoutMs: 500 } : {})
    at.docs.fail(fault)
    expect((await at.ask(ADA, DOCS, "7d")).text).toContain(words)
  })

  test("is slow is announced", async () => {
    const at = await desk()
    at.docs.fail({ type: "delay", ms: 800, kind: "visitors" })
    const message = await at.ask(ADA, DOCS, "7d")
    const [first] = at.slack.ephemerals(ADA)
    expect(first?.text).toContain("Still reading visitors for 13–19 Nov 2026")
    expect(message.text).toContain("People")
  })

  test.each([
    ["endless_export", "announced more pages"],
    ["repeated_page", "announced more pages"],
    ["empty_page", "announced more pages"],
  ] as const)("never comes to an end (%s) is stopped and said", async (type, words) => {
    const at = await desk({ docs: { visitors: { pages: 300 } } })
    at.docs.fail({ type, kind: "visitors" })
    const message = await at.ask(ADA, DOCS, "yesterday")
    expect(wordsIn(message)).toContain(words)
    expect(requests(at).length).toBeLessThan(15)
  })

  test("has more than 2,500 pages is ranked by its first 2,500, in ten requests", async () => {
    const at = await desk({ docs: { visitors: { pages: 6_000 } } })
    const message = await at.ask(ADA, DOCS, "90d")
    expect(wordsIn(message)).toContain("Ranked from the first 2,500 pages")
    const offsets = requests(at)
      .filter(({ query }) => query.limit === "250")
      .map(({ query }) => Number(query.offset))
    expect(offsets).toEqual(Array.from({ length: 10 }, (_, i) => i * 250))
  })
})

test("when the hour is short the pages come before the chart, and both tell when there is room", async () => {
  const at = await desk({ perHour: 4 })
  const message = await at.ask(ADA, DOCS, "7d")
  expect(tableIn(message)).toHaveLength(5)
  expect(chartIn(message)).toBeUndefined()
  expect(wordsIn(message)).toMatch(/No chart: the hour's requests .* used up until around <!date/)
  const none = await at.ask(ADA, DOCS, "30d")
  expect(none.text).toContain("right now: the hour's requests for visitor numbers are used up")
  expect(requests(at)).toHaveLength(4)

  at.clock.now += 3_606_000
  expect((await at.ask(ADA, DOCS, "60d")).text).toContain("People")
})
