import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { buckets, MAX_BUCKETS } from "../../../src/visitors/buckets.ts"
import { changes } from "../../../src/visitors/changes.ts"
import { change, share } from "../../../src/visitors/compare.ts"
import { addDays, daysIn, shareOver } from "../../../src/visitors/day.ts"
import { matches, type Searched } from "../../../src/visitors/filter.ts"
import { MAX_DAYS } from "../../../src/visitors/range.ts"
import { ROWS_PER_PAGE, tableOf } from "../../../src/visitors/ranking.ts"
import { holds } from "../../helpers/property.ts"

const page = (path: string, human: number, ai: number, total: number) => ({
  path,
  human,
  ai,
  total,
})

/** A path that counts how many of its characters are looked at, again where it is more than once. */
function watchedPath(path: string): Searched & { looked: number } {
  return {
    looked: 0,
    length: path.length,
    startsWith(part, from = 0) {
      this.looked += Math.min(part.length, path.length)
      return path.startsWith(part, from)
    },
    endsWith(part, end = path.length) {
      this.looked += Math.min(part.length, path.length)
      return path.endsWith(part, end)
    },
    indexOf(part, from = 0) {
      const found = path.indexOf(part, from)
      this.looked += (found < 0 ? path.length : found + part.length) - from
      return found
    },
  }
}

describe("buckets", () => {
  it("are of one length, in order and without a gap, in at most 20 points", async () => {
    await holds(
      fc.property(fc.integer({ min: 1, max: MAX_DAYS }), (days) => {
        const range = { from: "2027-11-05", to: addDays("2027-11-05", days - 1) }
        const cut = buckets(range)
        expect(cut.length).toBeLessThanOrEqual(MAX_BUCKETS)
        const left = days > MAX_BUCKETS ? days % daysIn(cut.at(-1) ?? range) : 0
        expect(cut[0]?.from).toBe(addDays(range.from, left))
        expect(cut.at(-1)?.to).toBe(range.to)
        for (const [i, bucket] of cut.entries())
          if (i > 0) expect(bucket.from).toBe(addDays(cut[i - 1]?.to ?? "", 1))
        const lengths = cut.map(daysIn)
        // A weekend in every point, or each day on its own.
        if (days > MAX_BUCKETS) for (const length of lengths) expect(length % 7).toBe(0)
        expect(new Set(lengths).size).toBe(1)
      }),
    )
  })

  it.each([
    [1, 1, 1],
    [7, 7, 1],
    [20, 20, 1],
    [21, 3, 7],
    [28, 4, 7],
    [30, 4, 7],
    [90, 12, 7],
    [365, 17, 21],
  ])("cut %i days into %i points of %i", (days, points, length) => {
    const cut = buckets({ from: "2026-01-01", to: addDays("2026-01-01", days - 1) })
    expect(cut).toHaveLength(points)
    expect(daysIn(cut.at(-1) ?? { from: "", to: "" })).toBe(length)
  })

  it("leave odd days out, so that no end of a month looks like a fall", () => {
    const cut = buckets({ from: "2026-10-01", to: "2026-10-31" })
    expect(cut).toHaveLength(4)
    expect(cut[0]).toEqual({ from: "2026-10-04", to: "2026-10-10" })
    expect(cut[3]).toEqual({ from: "2026-10-25", to: "2026-10-31" })
  })
})

describe("comparing", () => {
  it.each([
    [110, 100, { kind: "moved", percent: 10, direction: "up" }],
    [995, 1000, { kind: "moved", percent: 1, direction: "down" }],
    [999, 1000, { kind: "moved", percent: 0, direction: "down" }],
    [0, 10, { kind: "moved", percent: 100, direction: "down" }],
    [5, 0, { kind: "from_nothing" }],
    [0, 0, { kind: "same" }],
    [7, 7, { kind: "same" }],
  ])("%i after %i", (now, before, expected) => {
    expect(change(now, before)).toEqual(expected)
  })

  it.each([
    [1, 3, { kind: "percent", percent: 33 }],
    [0, 5, { kind: "percent", percent: 0 }],
    [1, 1000, { kind: "small" }],
    [5, 5, { kind: "percent", percent: 100 }],
    [0, 0, { kind: "unclear" }],
    [6, 5, { kind: "unclear" }],
  ])("%i of %i", (part, whole, expected) => {
    expect(share(part, whole)).toEqual(expected)
  })
})

describe("a filter", () => {
  it.each([
    ["/guides/a", "/guides", true],
    ["/guides", "/guides/", false],
    ["/guides/a/b", "/guides/*", true],
    ["/guides", "/guides/*", false],
    ["/v1/api/keys", "*/api/*", true],
    ["/v1/apis/keys", "*/api/*", false],
    ["/ab", "/a*b", true],
    ["/a", "/a*a", false],
    ["/x.y", "/x*.y", true],
    ["/xzy", "/x.y*", false],
    ["/anything", "*", true],
    ["/anything", "***", true],
    ["/日本語/ガイド", "*ガイド", true],
  ])("%s against %s: %s", (path, filter, expected) => {
    expect(matches(path, filter)).toBe(expected)
  })

  it("agrees with a plain regular expression", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 12 })
    await holds(
      fc.property(text, text, (path, filter) => {
        const source = filter.split("*").join(".*")
        const expected = new RegExp(filter.includes("*") ? `^${source}$` : `^${source}`).test(path)
        expect(matches(path, filter)).toBe(expected)
      }),
    )
  })

  it("looks at each character of a path twice at most, whatever the filter", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 300 })
    await holds(
      fc.property(text, text, (path, filter) => {
        const watched = watchedPath(path)
        expect(matches(watched, filter)).toBe(matches(path, filter))
        expect(watched.looked).toBeLessThanOrEqual(2 * path.length)
      }),
    )
  })

  it("does so on what makes regular expressions slow", () => {
    const watched = watchedPath("a".repeat(300))
    expect(matches(watched, `${"*a".repeat(140)}*b`)).toBe(false)
    expect(matches(watched, `${"*a".repeat(140)}*b*a`)).toBe(false)
    expect(watched.looked).toBeLessThanOrEqual(4 * watched.length)
  })
})

describe("the table", () => {
  const rows = Array.from({ length: 25 }, (_, i) => page(`/p${i}`, 100 - i, i, 100))

  it("gives every row on exactly one page, in the order asked for", () => {
    const pages = [1, 2, 3, 4, 5].map((number) => tableOf(rows, { by: "ai", page: number }))
    const paths = pages.flatMap((table) => table.rows.map((row) => row.path))
    expect(paths).toEqual(rows.toReversed().map((row) => row.path))
    expect(pages[1]?.rows[0]?.rank).toBe(ROWS_PER_PAGE + 1)
    expect(pages[4]).toMatchObject({ page: 5, pages: 5, matched: 25 })
  })

  it("ranks what the filter leaves, and shows the last page when asked for more", () => {
    const table = tableOf(rows, { by: "total", page: 9, filter: "/p1" })
    expect(table).toMatchObject({ page: 3, pages: 3, matched: 11 })
  })

  it("has one empty page when nothing matches", () => {
    expect(tableOf(rows, { by: "total", page: 1, filter: "/nothing" })).toEqual({
      rows: [],
      page: 1,
      pages: 1,
      matched: 0,
    })
  })

  it("breaks ties the same way whatever order the service gives", async () => {
    await holds(
      fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
        expect(tableOf(shuffled, { by: "total", page: 1 })).toEqual(
          tableOf(rows, { by: "total", page: 1 }),
        )
      }),
    )
  })
})

describe("what changed", () => {
  const whole = (rows: ReturnType<typeof page>[]) => ({ rows, whole: true })

  it("names rises and falls by size and leaves out what may be chance", () => {
    const now = [page("/up", 150, 0, 150), page("/noise", 1020, 0, 1020), page("/tiny", 9, 0, 9)]
    const before = [page("/up", 50, 0, 50), page("/noise", 1000, 0, 1000), page("/down", 80, 0, 80)]
    expect(changes(whole(now), whole(before), "total")).toEqual({
      rose: [{ path: "/up", now: 150, before: 50 }],
      fell: [{ path: "/down", now: 0, before: 80 }],
      mostlyAi: [],
      floors: { move: 10, read: 20 },
    })
  })

  it("does not call a page new or gone that may only be past the end of what was read", () => {
    const now = { rows: [page("/new", 90, 0, 90)], whole: false }
    const before = { rows: [page("/gone", 90, 0, 90)], whole: false }
    expect(changes(now, before, "total")).toMatchObject({ rose: [], fell: [] })
    expect(changes(now, whole([]), "total").rose).toHaveLength(1)
  })

  it("tells no drop that the rest of a day that is running may still make up", () => {
    const before = whole([page("/even", 1000, 0, 1000), page("/gone", 1000, 0, 1000)])
    const now = whole([page("/even", 505, 0, 505), page("/gone", 100, 0, 100)])
    const paths = (over: number) => changes(now, before, "total", over).fell.map(({ path }) => path)
    const noon = Date.parse("2026-11-22T12:00:00Z")
    expect(paths(shareOver({ from: "2026-11-22", to: "2026-11-22" }, noon))).toEqual(["/gone"])
    expect(paths(shareOver({ from: "2026-11-20", to: "2026-11-21" }, noon))).toEqual([
      "/gone",
      "/even",
    ])
  })

  it("finds pages that AI reads more than people, busiest first, five at most", () => {
    const rows = Array.from({ length: 8 }, (_, i) => page(`/ai${i}`, 5, 20 + i, 24 + i))
    const few = page("/few", 1, 9, 10)
    const even = page("/even", 50, 50, 90)
    const { mostlyAi } = changes(whole([...rows, few, even]), whole([]), "human")
    expect(mostlyAi.map((row) => row.path)).toEqual(["/ai7", "/ai6", "/ai5", "/ai4", "/ai3"])
  })
})
