import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { docsServiceForTest, PROJECT, startOnManualClock } from "../helpers/docs-http.ts"
import { holds } from "../helpers/property.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 10, 20)
const REMEMBERED = 400

/** The n-th remembered day as `YYYY-MM-DD`; 0 is the oldest, 400 is today. */
const day = (n: number) => new Date(TODAY - (REMEMBERED - n) * DAY).toISOString().slice(0, 10)
const truth = (from: number, to: number) => shared.truth(PROJECT, day(from), day(to))

/** A service for tests that only look. */
let shared: DocsService
beforeAll(async () => {
  const { service } = await startOnManualClock()
  shared = service
  return () => service.close()
})

/** Three days in order, of all that are remembered and one beyond. */
const threeDays = fc
  .uniqueArray(fc.integer({ min: 0, max: REMEMBERED + 1 }), { minLength: 3, maxLength: 3 })
  .map((days) => days.toSorted((a, b) => a - b) as [number, number, number])

const kinds = ["human", "ai", "total"] as const

test("a longer range never has fewer visitors, on the site and on each page", async () => {
  await holds(
    fc.property(threeDays, ([from, middle, to]) => {
      const whole = truth(from, to)
      const rows = new Map(whole.visitors.map((row) => [row.path, row]))
      for (const part of [truth(from, middle), truth(middle, to)]) {
        for (const kind of kinds) {
          expect(part.totals[kind]).toBeLessThanOrEqual(whole.totals[kind])
          for (const row of part.visitors) {
            expect(row[kind]).toBeLessThanOrEqual(rows.get(row.path)?.[kind] ?? -1)
          }
        }
      }
    }),
  )
})

test("a visitor of two ranges counts once: together never more than the sum", async () => {
  await holds(
    fc.property(threeDays, ([from, middle, to]) => {
      const [left, right, whole] = [truth(from, middle), truth(middle, to), truth(from, to)]
      const before = new Map(left.visitors.map((row) => [row.path, row]))
      const after = new Map(right.visitors.map((row) => [row.path, row]))
      for (const kind of kinds) {
        expect(whole.totals[kind]).toBeLessThanOrEqual(left.totals[kind] + right.totals[kind])
        for (const row of whole.visitors) {
          const sum = (before.get(row.path)?.[kind] ?? 0) + (after.get(row.path)?.[kind] ?? 0)
          expect(row[kind]).toBeLessThanOrEqual(sum)
        }
      }
    }),
  )
})

test("the uniques of a week are fewer than the sum of its days'", () => {
  const week = truth(390, 397).totals
  const days = [0, 1, 2, 3, 4, 5, 6].map((n) => truth(390 + n, 391 + n).totals)
  for (const kind of kinds) {
    const sum = days.reduce((total, counts) => total + counts[kind], 0)
    expect(week[kind]).toBeLessThan(sum)
    expect(week[kind]).toBeGreaterThan(sum / 2)
  }
})

test("totals are deduplicated, and pages do not add up to the site", async () => {
  await holds(
    fc.property(threeDays, ([from, , to]) => {
      fc.pre(to <= REMEMBERED)
      const { totals, visitors } = truth(from, to)
      expect(totals.total).toBeLessThan(totals.human + totals.ai)
      for (const row of [totals, ...visitors]) {
        expect(row.total).toBeLessThanOrEqual(row.human + row.ai)
        expect(row.total).toBeGreaterThanOrEqual(Math.max(row.human, row.ai))
      }
      for (const kind of kinds) {
        const pages = visitors.map((row) => row[kind])
        expect(Math.max(...pages)).toBeLessThanOrEqual(totals[kind])
        expect(pages.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(totals[kind])
      }
    }),
  )
})

test("the same project has the same numbers everywhere, another project has others", async () => {
  const twin = await docsServiceForTest({ projects: [{ id: PROJECT, key: "x" }] })
  const whole = truth(300, 330)
  expect(twin.service.truth(PROJECT, day(300), day(330))).toEqual(whole)
  expect(twin.service.truth("prj_other", day(300), day(330)).totals).not.toEqual(whole.totals)
})

test("closed days stay as they are while the clock goes on; today grows", async () => {
  const { service, clock } = await docsServiceForTest({}, TODAY)
  const yesterday = service.truth(PROJECT, day(399), day(400))
  let seen = 0
  for (let hour = 0; hour < 24; hour++) {
    clock.now = TODAY + hour * 3_600_000
    expect(service.truth(PROJECT, day(399), day(400))).toEqual(yesterday)
    const { total } = service.truth(PROJECT, day(400), day(401)).totals
    expect(total).toBeGreaterThanOrEqual(seen)
    seen = total
  }
  clock.now = TODAY + DAY
  expect(service.truth(PROJECT, day(400), day(401)).totals.total).toBeGreaterThanOrEqual(seen)
  expect(service.truth(PROJECT, day(401), day(402))).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: [],
  })
})

test("data can lag: the last minutes of a day come in after midnight", async () => {
  const { service, clock } = await docsServiceForTest({ visitors: { lagMs: 300_000 } }, TODAY)
  const atMidnight = service.truth(PROJECT, day(399), day(400)).totals.total
  clock.now += 300_000
  expect(service.truth(PROJECT, day(399), day(400)).totals.total).toBeGreaterThan(atMidnight)
})

test("400 whole days and today are remembered, nothing before and nothing after", () => {
  const year = truth(0, REMEMBERED + 1)
  expect(shared.truth(PROJECT, "2020-01-01", "2030-01-01")).toEqual(year)
  expect(shared.truth(PROJECT, "2020-01-01", day(0)).visitors).toEqual([])
  expect(truth(0, 1).totals.total).toBeGreaterThan(0)
})

test("the rhythm is plausible: quiet weekends, growth, a growing share of AI, pages that come later", () => {
  const friday = truth(399, 400).totals
  const sunday = truth(394, 395).totals
  expect(sunday.human).toBeLessThan(friday.human * 0.7)
  const [first, last] = [truth(0, 28), truth(372, 400)]
  expect(last.totals.human).toBeGreaterThan(first.totals.human)
  expect(last.totals.ai / last.totals.human).toBeGreaterThan(
    1.5 * (first.totals.ai / first.totals.human),
  )
  expect(first.visitors.length).toBeLessThan(last.visitors.length)
})

test("rows come in a stable order that is not a ranking", () => {
  const rows = truth(393, 400).visitors
  const totals = rows.map((row) => row.total)
  expect(totals).not.toEqual(totals.toSorted((a, b) => b - a))
  expect(totals).not.toEqual(totals.toSorted((a, b) => a - b))
  const later = truth(300, 400).visitors.map((row) => row.path)
  expect(rows.map((row) => row.path)).toEqual(later)
})
