import { describe, expect, test } from "vitest"
import type { VisitorsPage } from "../../src/docs-service/docs-api.ts"
import { addDays } from "../../src/lib/time.ts"
import { chartPoints } from "../../src/visitors/chart.ts"
import { changes, mostlyAi } from "../../src/visitors/page-changes.ts"
import { daysIn, MAX_DAYS } from "../../src/visitors/range.ts"
import { type PageList, rowsBelow, walk } from "../../src/visitors/read-visitors.ts"

const PATHS =
  "/%E6%97%A5%E6%9C%AC/a /日本/b /100%/c /guides /guides/a /guides-old /cafe\u0301".split(" ")
const page = (path: string, total: number) => ({ path, human: total, ai: 0, total })

test("the points of a chart are equally long, touch, end where its range ends, and are 20 at most", () => {
  for (let days = 1; days <= MAX_DAYS; days += 1) {
    const range = { from: "2025-11-20", to: addDays("2025-11-20", days - 1) }
    const points = chartPoints(range)
    const [first] = points
    if (!first) throw new Error("There is no point")
    expect(points.length).toBeLessThanOrEqual(20)
    expect(points.at(-1)?.to).toBe(range.to)
    for (const [n, { from }] of points.entries())
      if (n > 0) expect(from).toBe(addDays(points[n - 1]?.to ?? "", 1))
    expect(new Set(points.map(daysIn)).size).toBe(1)
    expect(daysIn(first) % 7 === 0 || days <= 20).toBe(true)
    // Only days before the first whole point are left out.
    const left = daysIn({ from: range.from, to: first.from }) - 1
    expect(left).toBeGreaterThanOrEqual(0)
    expect(left).toBeLessThan(daysIn(first))
  }
})

test.each([
  ["/日本", ["/%E6%97%A5%E6%9C%AC/a", "/日本/b"]],
  ["/%E6", ["/%E6%97%A5%E6%9C%AC/a"]],
  ["/100%", ["/100%/c"]],
  ["/guides", ["/guides", "/guides/a", "/guides-old"]],
  // With a slash behind it, a path covers its own page and those below.
  ["/guides/", ["/guides", "/guides/a"]],
  ["/caf\u00e9", ["/cafe\u0301"]],
  [undefined, PATHS],
])("the path %s finds the pages that begin with it, percent-encoded or not", (filter, found) => {
  const rows = PATHS.map((path) => page(path, 1))
  expect(rowsBelow({ rows }, filter).map(({ path }) => path)).toEqual(found)
})

describe("what changed", () => {
  const whole = (...rows: PageList["rows"]): PageList => ({ rows, end: "complete" })

  test("is what moved by more than chance, most first", () => {
    const now = whole(page("/a", 90), page("/b", 400), page("/c", 101), page("/new", 30))
    const before = whole(page("/a", 40), page("/b", 300), page("/c", 100), page("/gone", 50))
    const paths = changes(now, before).map(({ path }) => path)
    expect(paths).toEqual(["/b", "/a", "/gone", "/new"])
  })

  test("scales a shorter period before, so that a longer month is no rise by itself", () => {
    const now = whole(page("/a", 3100), page("/b", 4000))
    const before = whole(page("/a", 3000), page("/b", 3000))
    expect(changes(now, before, 31 / 30)).toEqual([{ path: "/b", now: 4000, before: 3100 }])
  })

  test("takes no page for new or gone where not every page was read", () => {
    const part = (path: string): PageList => ({ rows: [page(path, 90)], end: "cut" })
    expect(changes(part("/a"), part("/b"))).toEqual([])
  })

  test("names the pages that AI reads more than people, busiest first, five at most", () => {
    const read = (path: string, human: number, ai: number) => ({ path, human, ai, total: ai + 9 })
    const busy = [1, 2, 3, 4, 5, 6, 7].map((n) => read(`/ai${n}`, 9, 20 + n))
    const rows = [...busy, read("/few", 1, 10), read("/even", 50, 50), read("/people", 90, 20)]
    expect(mostlyAi(rows).map(({ path }) => path)).toEqual(["/ai7", "/ai6", "/ai5", "/ai4", "/ai3"])
  })
})

test.each([
  ["keeps a row once that moved while it was read", [1, 2, 3], [3, 4], [1, 2, 3, 4]],
  ["reads on behind a short page that announces more", [0], [250, 251], [0, 250, 251]],
])("reading an export %s, and says that rows may be missing", async (_, first, last, found) => {
  const read = async (offset: number): Promise<VisitorsPage> => ({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: (offset === 0 ? first : last).map((n) => page(`/p${n}`, n)),
    hasMore: offset === 0,
  })
  const { rows, end } = await walk(read, 10)
  expect(rows.map(({ human }) => human)).toEqual(found)
  expect(end).toBe("doubtful")
})
