import fc from "fast-check"
import { DateTime } from "luxon"
import { describe, expect, it } from "vitest"
import { addDays } from "../../src/lib/time.ts"
import { digestRange, lastDue } from "../../src/visitors/digest.ts"
import { nextDigest, type Rhythm, rhythms } from "../../src/visitors/scheduled-posts.ts"
import { holds } from "../helpers/property.ts"

const at = (iso: string) => Date.parse(iso)
const iso = (ms: number) => new Date(ms).toISOString().replace(":00.000Z", "Z")

function series(rhythm: Rhythm, zone: string, after: string, count: number): string[] {
  let last = at(after)
  return Array.from({ length: count }, () => {
    last = nextDigest(rhythm, zone, last)
    return iso(last)
  })
}

describe("the next digest", () => {
  it.each([
    ["Europe/Berlin", "9:00", "2026-10-24", ["24T07:00Z", "25T08:00Z", "26T08:00Z"]],
    ["Europe/Berlin", "9:00", "2027-03-27", ["27T08:00Z", "28T07:00Z", "29T07:00Z"]],
    ["America/New_York", "9:00", "2025-11-01", ["01T13:00Z", "02T14:00Z", "03T14:00Z"]],
    ["America/New_York", "9:00", "2027-03-13", ["13T14:00Z", "14T13:00Z", "15T13:00Z"]],
    // A time that is left out moves forward, and of two the first counts.
    ["Europe/Berlin", "2:30", "2027-03-27", ["27T01:30Z", "28T01:30Z", "29T00:30Z"]],
    ["Europe/Berlin", "2:30", "2026-10-24", ["24T00:30Z", "25T00:30Z", "26T01:30Z"]],
  ])("keeps its local time when clocks change in %s, at %s on %s", (zone, time, day, times) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number)
    const found = series({ every: "daily", hour, minute }, zone, `${day}T00:00:00Z`, 3)
    expect(found).toEqual(times.map((one) => day.slice(0, -2) + one))
  })

  it.each([
    ["Europe/Berlin", 9, "2026-12-31T23:30Z", ["01-01T08:00Z", "02-01T08:00Z", "03-01T08:00Z"]],
    ["Pacific/Auckland", 9, "2026-12-15T00:00Z", ["01-01T20:00Z", "02-01T20:00Z"]],
    ["Pacific/Honolulu", 9, "2026-12-15T00:00Z", ["01-01T19:00Z"]],
    ["America/Los_Angeles", 20, "2026-12-15T00:00Z", ["01-02T04:00Z"]],
  ])(
    "comes on the first of a month, or the second where that is still last month in UTC: in %s at %i",
    (zone, hour, after, times) => {
      const shown = series({ every: "monthly", hour, minute: 0 }, zone, after, times.length)
      expect(shown).toEqual(times.map((time) => `2027-${time}`))
    },
  )

  it("is after now, on the clock asked for, and none is passed over", async () => {
    const zones = ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Asia/Kolkata"]
    const rhythm = fc.record({
      every: fc.constantFrom(...rhythms),
      hour: fc.integer({ min: 4, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    })
    const moment = fc.integer({ min: at("2026-01-01"), max: at("2030-01-01") })
    await holds(
      fc.property(rhythm, fc.constantFrom(...zones), moment, (wanted, zone, after) => {
        const next = nextDigest(wanted, zone, after)
        expect(next).toBeGreaterThan(after)
        const local = DateTime.fromMillis(next, { zone })
        expect([local.hour, local.minute]).toEqual([wanted.hour, wanted.minute])
        if (wanted.every === "weekly") expect(local.weekday).toBe(1)
        expect(nextDigest(wanted, zone, next - 1)).toBe(next)
        const longest = { daily: 25, weekly: 7 * 24 + 1, monthly: 32 * 24 + 1 }[wanted.every]
        expect(next - after).toBeLessThanOrEqual(longest * 3_600_000)
      }),
    )
  })
})

describe("a digest that is late", () => {
  it.each([
    ["daily", "2026-11-21T13:00Z", "2026-11-22T12:59Z", "2026-11-21T13:00Z"],
    ["daily", "2026-11-21T13:00Z", "2026-11-29T20:00Z", "2026-11-29T13:00Z"],
    ["weekly", "2026-11-16T13:00Z", "2026-11-30T12:00Z", "2026-11-23T13:00Z"],
    ["monthly", "2026-11-01T13:00Z", "2026-12-01T12:00Z", "2026-11-01T13:00Z"],
    ["monthly", "2026-11-01T13:00Z", "2026-10-31T13:00Z", "2026-11-01T13:00Z"],
  ] as const)("%s, due at %s, counts at %s as that of %s", (every, due, now, last) => {
    const late = lastDue({ every, hour: 14, minute: 0 }, "Europe/Paris", at(due), at(now))
    expect(iso(late)).toBe(last)
  })
})

describe("what a digest tells about", () => {
  it.each([
    ["daily", "2026-11-20T08:00:00Z", "2026-11-19", "2026-11-19"],
    ["weekly", "2026-11-16T08:00:00Z", "2026-11-09", "2026-11-15"],
    ["weekly", "2026-11-15T20:00:00Z", "2026-11-08", "2026-11-14"],
    ["monthly", "2026-12-01T08:00:00Z", "2026-11-01", "2026-11-30"],
    ["monthly", "2027-01-06T08:00:00Z", "2026-12-01", "2026-12-31"],
    ["monthly", "2028-03-01T08:00:00Z", "2028-02-01", "2028-02-29"],
  ] as const)("%s at %s", (kind, now, from, to) => {
    expect(digestRange(kind, "UTC", at(now))).toMatchObject({ from, to })
  })

  it.each([
    ["America/New_York", 19],
    ["Australia/Sydney", 10],
    ["Europe/London", 0],
    ["Africa/Casablanca", 0],
  ])("is every day once when clocks change in %s, asked for at %i:30", (zone, hour) => {
    for (const every of ["daily", "weekly"] as const) {
      const dues = series({ every, hour, minute: 30 }, zone, "2026-01-01T12:00:00Z", 300)
      const ranges = dues.map((due) => digestRange(every, zone, at(due)))
      for (const [n, { from }] of ranges.slice(1).entries())
        expect(from).toBe(addDays(ranges[n]?.to ?? "", 1))
    }
  })

  it("is over in UTC whenever it is due", async () => {
    const moment = fc.integer({ min: at("2026-01-01"), max: at("2030-01-01") })
    const zone = fc.constantFrom("Pacific/Kiritimati", "Pacific/Niue", "Europe/Berlin")
    await holds(
      fc.property(moment, zone, fc.integer({ min: 0, max: 23 }), (after, where, hour) => {
        const due = nextDigest({ every: "monthly", hour, minute: 0 }, where, after)
        const { to } = digestRange("monthly", where, due)
        const local = DateTime.fromMillis(due, { zone: where })
        expect(at(`${to}T24:00:00Z`)).toBeLessThanOrEqual(due)
        expect(to.slice(0, 7)).toBe(local.minus({ months: 1 }).toFormat("yyyy-MM"))
      }),
    )
  })
})
