import { describe, expect } from "vitest"
import { dayToCheck, unusual } from "../../src/visitors/alerts.ts"
import { nextLook } from "../../src/visitors/scheduled-posts.ts"
import { joined } from "../helpers/restarted.ts"
import { PROJECT, useVisitors } from "../helpers/visitors.ts"
import { BEN } from "../sandbox/slack/index.ts"

const { test, watching } = useVisitors()

describe("VIS-19: an unusual day", () => {
  test("is looked at once, at 12:00 UTC of the next day, and names what, when and how far", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3, of: "human" })
    await h.at("2026-11-25T11:58Z")
    expect(h.alertTexts()).toEqual([])
    await h.at("2026-11-25T12:00Z")
    const { human } = h.docs.truth(PROJECT, "2026-11-24", "2026-11-25").totals
    expect(h.alertTexts()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Docs traffic dropped on Tue, Nov 24: ${human.toLocaleString("en-US")} people, down [67]\\d% from the usual [\\d,]+ · docs\n`,
        ),
      ),
    ])
    expect(JSON.stringify(h.alerts())).toContain("Compared with the previous 8 Tuesdays (UTC)")
    const before = ["11-17", "11-10", "11-03", "10-27", "10-20", "10-13", "10-06", "09-29"]
    const read = h.analyticsRequests().map(({ query }) => query.dateFrom)
    expect(read).toEqual(["11-24", ...before].map((then) => `2026-${then}`))
    await h.at("2026-11-25T20:00Z")
    // There is no second message when it ends.
    for (const day of ["26", "27", "28"]) await h.at(`2026-11-${day}T12:01Z`)
    expect(h.alerts()).toHaveLength(1)
  })

  test("of people and AI at once is one message, and one by two processes", async () => {
    const h = await watching("on", { day: "2026-11-24", factor: 3 })
    await using other = await joined(h, { clock: h.clock })
    h.clock.moveOn(Date.parse("2026-11-25T12:00Z") - h.clock.now())
    await Promise.all([h.posts(), other.posts()])
    expect(h.alertTexts()).toEqual([
      expect.stringMatching(/Docs traffic rose on Tue.* people.*\nDocs traffic rose.* AI visitors/),
    ])
  })

  test("of some pages is posted where these are watched, and opens their report for everybody in the channel, privately", async () => {
    const plant = { day: "2026-11-24", factor: 4, path: "/guides" }
    const h = await watching("on people /guides", plant)
    await h.at("2026-11-25T12:00Z")
    expect(h.alertTexts()).toEqual([
      expect.stringMatching(/^Docs traffic rose .* page visits by people under \/guides, up/),
    ])
    const [message] = h.alerts()
    if (!message) throw new Error("No alert was posted")
    const report = await h.use(BEN, message, "alert_report")
    expect(report.text).toMatch(/^Docs visitors under \/guides, Nov 24, 2026/)
  })
})

const WEEKS = [90, 100, 110, 100, 95, 105, 100, 100]

const TENS = Array<number>(8).fill(10)
const firstWeeks = (count: number) => [
  ...Array<number>(count).fill(100),
  ...Array(8 - count).fill(0),
]

describe("a day is unusual", () => {
  test.each([
    ["less than half of the median of eight weeks", 49, WEEKS, 100],
    ["half", 50, WEEKS, undefined],
    ["as usual", 100, WEEKS, undefined],
    ["twice", 200, WEEKS, undefined],
    ["more than twice", 201, WEEKS, 100],
    ["nobody", 0, WEEKS, 100],
    ["less than 20 visitors away from the median", 29, TENS, undefined],
    ["at least 20 away", 30, TENS, 10],
    ["in the first weeks of a site", 500, firstWeeks(3), undefined],
    ["after them", 500, firstWeeks(4), 100],
    ["with one odd week among those before", 100, [...WEEKS.slice(1), 100_000], undefined],
  ])("%s: %i after %j is away from %s", (_, visitors, before, usual) => {
    expect(unusual(visitors, before)).toBe(usual)
  })
})

test.each([
  ["2026-11-20T11:59:59Z", "2026-11-20T12:00:00Z", undefined],
  ["2026-11-20T12:00:00Z", "2026-11-21T12:00:00Z", "2026-11-19"],
  ["2026-12-31T23:59:59Z", "2027-01-01T12:00:00Z", "2026-12-30"],
  ["2027-01-01T23:59:59Z", "2027-01-02T12:00:00Z", "2026-12-31"],
])("at %s the next look is at %s, and the day to check is %s", (now, next, day) => {
  expect(nextLook(Date.parse(now))).toBe(Date.parse(next))
  expect(dayToCheck(Date.parse(now))).toBe(day)
})
