import fc from "fast-check"
import { expect, test } from "vitest"
import { addDays, daysIn } from "../../../src/visitors/day.ts"
import { MAX_DAYS } from "../../../src/visitors/range.ts"
import { stretches } from "../../../src/visitors/report.ts"
import { holds } from "../../helpers/property.ts"

test("the points of a chart cover its range, in order, 20 at most, and hardly differ in length", async () => {
  const length = fc.integer({ min: 1, max: MAX_DAYS })
  await holds(
    fc.property(length, (days) => {
      const range = { from: "2025-11-20", to: addDays("2025-11-20", days - 1) }
      const points = stretches(range)
      expect(points.length).toBeLessThanOrEqual(20)
      expect(points[0]?.from).toBe(range.from)
      expect(points.at(-1)?.to).toBe(range.to)
      for (const [n, { from }] of points.entries())
        if (n > 0) expect(from).toBe(addDays(points[n - 1]?.to ?? "", 1))
      const lengths = points.map(daysIn)
      expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(days <= 20 ? 0 : 1)
    }),
  )
})
