import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { PROJECT, startOnManualClock } from "../helpers/docs-http.ts"
import { holds } from "../helpers/property.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 10, 20)
const REMEMBERED = 400

/** Returns the n-th remembered day as `YYYY-MM-DD`; 0 is the oldest, 400 is today. */
const day = (n: number) => new Date(TODAY - (REMEMBERED - n) * DAY).toISOString().slice(0, 10)
const truth = (from: number, to: number) => shared.truth(PROJECT, day(from), day(to))

let shared: DocsService
beforeAll(async () => {
  const { service } = await startOnManualClock()
  shared = service
  return () => service.close()
})

/** Generates three days in order, from the remembered ones and the day after. */
const threeDays = fc
  .uniqueArray(fc.integer({ min: 0, max: REMEMBERED + 1 }), { minLength: 3, maxLength: 3 })
  .map((days) => days.toSorted((a, b) => a - b) as [number, number, number])

const kinds = ["human", "ai", "total"] as const

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

test("rows come in a stable order that is not a ranking", () => {
  const rows = truth(393, 400).visitors
  const totals = rows.map((row) => row.total)
  expect(totals).not.toEqual(totals.toSorted((a, b) => b - a))
  expect(totals).not.toEqual(totals.toSorted((a, b) => a - b))
  const later = truth(300, 400).visitors.map((row) => row.path)
  expect(rows.map((row) => row.path)).toEqual(later)
})
