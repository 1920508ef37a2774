import { describe, expect } from "vitest"
import { dayToCheck, unusual, unusualDays } from "../../src/visitors/alerts.ts"
import type { Readings } from "../../src/visitors/read-visitors.ts"
import { nextLook } from "../../src/visitors/scheduled-posts.ts"
import { listedProjects } from "../helpers/listed-projects.ts"
import { joined, restarted } from "../helpers/restarted.ts"
import { alerts, alertTexts, PROJECT, said, type, useVisitors } from "../helpers/visitors.ts"
import { ADA, BEN } from "../sandbox/slack/index.ts"

const { test, bed, watching } = useVisitors()

describe("VIS-19: an unusual day", () => {
  test("is looked at once, at 12:00 UTC of the next day, and names what, when and how far", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3, of: "human" })
    await h.at("2026-11-25T11:58Z")
    expect(alertTexts(h)).toEqual([])
    await h.at("2026-11-25T12:00Z")
    const { human } = h.docs.truth(PROJECT, "2026-11-24", "2026-11-25").totals
    expect(alertTexts(h)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Docs traffic dropped on Tue, Nov 24: ${human.toLocaleString("en-US")} people, down [67]\\d% from the usual [\\d,]+ · docs\n`,
        ),
      ),
    ])
    expect(JSON.stringify(alerts(h))).toContain("Compared with the previous 8 Tuesdays (UTC)")
    await h.at("2026-11-25T20:00Z")
    // There is no second message when it ends.
    for (const day of ["26", "27", "28"]) await h.at(`2026-11-${day}T12:01Z`)
    expect(alerts(h)).toHaveLength(1)
  })

  test("of people and AI at once is one message, and one by two processes", async () => {
    const h = await watching("on", { day: "2026-11-24", factor: 3 })
    await using other = await joined(h, { clock: h.clock })
    h.clock.moveOn(Date.parse("2026-11-25T12:00Z") - h.clock.now())
    await Promise.all([h.posts(), other.posts()])
    expect(alertTexts(h)).toEqual([
      expect.stringMatching(/Docs traffic rose on Tue.* people.*\nDocs traffic rose.* AI visitors/),
    ])
  })

  test("of some pages is posted where these are watched, and opens their report for everybody in the channel, privately", async () => {
    const plant = { day: "2026-11-24", factor: 4, path: "/guides" }
    const h = await watching("on people /guides", plant)
    await h.at("2026-11-25T12:00Z")
    expect(alertTexts(h)).toEqual([
      expect.stringMatching(/^Docs traffic rose .* page visits by people under \/guides, up/),
    ])
    const [message] = alerts(h)
    if (!message) throw new Error("No alert was posted")
    const report = await h.use(BEN, message, "alert_report")
    expect(report.text).toMatch(/^Docs visitors under \/guides, Nov 24, 2026/)
  })
})

describe("alerts", () => {
  test("are turned on in the channel, listed, and off by what is named", async () => {
    const h = await watching("on")
    expect(said(h)[0]?.text).toContain(
      `<@${ADA}> turned on docs traffic alerts for people and AI visitors in this channel`,
    )
    await type(h, "alert on ai /guides", { user: BEN })
    const list = await h.ask(BEN, "alert list")
    expect(list.text).toMatch(
      /People on the whole site.*\n.*AI visitors on the whole site.*\n.*under \/guides/,
    )
    await type(h, "alert off ai", { user: BEN })
    expect((await h.ask(ADA, "alert list")).text).not.toContain("AI visitors")
    await type(h, "alert off", { user: BEN })
    expect((await h.ask(ADA, "alert off")).text).toContain("Nothing to turn off")
  })

  test("of one project are turned off by its name, and the other's stay", async () => {
    const h = await bed({ env: listedProjects({ docs: PROJECT, api: "docs-api" }) })
    for (const words of ["alert on ai", "project=api alert on ai", "project=api alert off"])
      await type(h, words)
    expect((await h.ask(ADA, "alert list")).text).toMatch(
      /AI visitors on the whole site · docs · [^·]* · next [^·]*$/,
    )
  })

  test("of one project go on after another was removed", async () => {
    const plants = [{ day: "2026-11-24", factor: 0 }]
    const projects = { docs: PROJECT, gone: "docs-gone" }
    const h = await bed({ docs: { visitors: { plants } }, env: listedProjects(projects) })
    for (const words of ["project=gone alert on ai", "alert on people"]) await type(h, words)
    await using again = await restarted(h, {
      clock: h.clock,
      env: listedProjects({ docs: PROJECT }),
    })
    h.clock.moveOn(Date.parse("2026-11-25T12:01Z") - h.clock.now())
    await again.posts()
    await h.slack.until(() => alerts(h).length === 1)
    const { text } = await h.ask(ADA, "alert list")
    expect(text).toMatch(/^• AI visitors [^•]* · paused until its project is back$/m)
    expect(text).toMatch(/^• People on [^•]* · turned on by [^·]* · next [^·]*$/m)
  })

  test("are at most ten in a channel", async (h) => {
    for (let n = 1; n <= 5; n++) await type(h, `alert on /part-${n}`)
    expect((await h.ask(ADA, "alert on /part-6")).text).toContain("at most 10 alerts")
  })
})

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
