import { describe, expect, test } from "vitest"
import { dayToCheck, nextLook, unusual, unusualDays } from "../../src/visitors/alerts.ts"
import type { Readings } from "../../src/visitors/read-visitors.ts"

const WEEKS = [90, 100, 110, 100, 95, 105, 100, 100]

describe("a day is unusual", () => {
  test.each([
    [49, 100],
    [50, undefined],
    [100, undefined],
    [200, undefined],
    [201, 100],
    [0, 100],
  ])("with %i visitors where the median of eight weeks is 100: %s", (visitors, usual) => {
    expect(unusual(visitors, WEEKS)).toBe(usual)
  })

  test("only at least 20 visitors away from the median", () => {
    expect(unusual(29, Array(8).fill(10))).toBeUndefined()
    expect(unusual(30, Array(8).fill(10))).toBe(10)
  })

  test("never in the first weeks of a site", () => {
    expect(unusual(500, [100, 100, 100, 0, 0, 0, 0, 0])).toBeUndefined()
    expect(unusual(500, [100, 100, 100, 100, 0, 0, 0, 0])).toBe(100)
  })

  test("whatever one odd week among those before was", () => {
    expect(unusual(100, [...WEEKS.slice(1), 100_000])).toBeUndefined()
  })
})

test("a day is compared with the same weekday of the eight weeks before", async () => {
  const read: string[] = []
  const figures = async ({ range }: { range: { from: string } }) => {
    read.push(range.from)
    return { human: 100 }
  }
  const readings = { figures } as unknown as Readings
  const watch = { kind: "alert", project: "p", of: "human", user: "U1" } as const
  await unusualDays(readings, [watch], "2026-03-02", false)
  const before = ["02-23", "02-16", "02-09", "02-02", "01-26", "01-19", "01-12", "01-05"]
  expect(read).toEqual(["03-02", ...before].map((day) => `2026-${day}`))
})

test.each([
  ["2026-11-20T11:59:59Z", "2026-11-20T12:00:00Z"],
  ["2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z"],
  ["2026-12-31T23:00:00Z", "2027-01-01T12:00:00Z"],
])("after %s the next look is at %s", (after, next) => {
  expect(nextLook(Date.parse(after))).toBe(Date.parse(next))
})

test.each([
  ["2026-11-20T11:59:59Z", undefined],
  ["2026-11-20T12:00:00Z", "2026-11-19"],
  ["2027-01-01T23:59:59Z", "2026-12-31"],
])("at %s the day to check is %s", (now, day) => {
  expect(dayToCheck(Date.parse(now))).toBe(day)
})
