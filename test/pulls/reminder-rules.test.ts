import { DateTime } from "luxon"
import { describe, expect, test } from "vitest"
import {
  isReminderTime,
  isStale,
  nextReminderTime,
  workingDaysAfter,
} from "../../src/pulls/reminders.ts"
import { followedJob } from "../helpers/job.ts"

const at = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toMillis()
const words = (ms: number, zone: string) =>
  DateTime.fromMillis(ms, { zone }).toFormat("ccc yyyy-MM-dd HH:mm")
const ZONES = ["UTC", "Pacific/Auckland", "America/Los_Angeles"]

describe("days that nobody touched a pull request", () => {
  test.each([
    ["three days later at the same hour", "2026-11-23T11:00", 3, ZONES, "Thu 2026-11-26 11:00"],
    ["Saturday and Sunday not counted", "2026-11-19T11:00", 3, ZONES, "Tue 2026-11-24 11:00"],
    ["of a weekend, from Monday on", "2026-11-21T11:00", 3, ZONES, "Wed 2026-11-25 11:00"],
    [
      "over a change of the clock",
      "2026-10-23T11:00",
      1,
      ["Europe/Berlin"],
      "Mon 2026-10-26 11:00",
    ],
  ])("%s", (_, touched, days, zones, says) => {
    for (const zone of zones)
      expect(words(workingDaysAfter(at(touched, zone), days, zone), zone)).toBe(says)
  })

  test("in a zone that nobody knows are those of UTC", () => {
    expect(words(workingDaysAfter(at("2026-11-23T11:00", "UTC"), 1, "Not/Real"), "UTC")).toBe(
      "Tue 2026-11-24 11:00",
    )
  })

  test.each([
    ["open", 3, true],
    ["draft", 3, false],
    ["closed", 3, false],
    ["open", 0, false],
    ["open", 4, false],
  ] as const)("a pull request that is %s, with %i days: %s", (state, days, isIt) => {
    const touchedAt = at("2026-11-19T11:00", "UTC")
    const now = at("2026-11-24T11:00", "UTC")
    expect(isStale(followedJob({ pull: { touchedAt, state } }), { now, days, zone: "UTC" })).toBe(
      isIt,
    )
  })
})

describe("the morning of a reminder", () => {
  test.each([
    ["2026-11-23T08:59", "Mon 2026-11-23 09:00"],
    ["2026-11-23T09:00", "Tue 2026-11-24 09:00"],
    ["2026-11-27T12:00", "Mon 2026-11-30 09:00"],
    ["2026-11-28T08:00", "Mon 2026-11-30 09:00"],
  ])("after %s: %s", (now, says) => {
    for (const zone of ZONES) expect(words(nextReminderTime(at(now, zone), zone), zone)).toBe(says)
  })

  test.each([
    ["2026-11-23T09:00", true],
    ["2026-11-23T16:59", true],
    ["2026-11-23T17:00", false],
    ["2026-11-23T08:59", false],
    ["2026-11-22T12:00", false],
  ])("may be made up for at %s: %s", (moment, working) => {
    expect(isReminderTime(at(moment, "UTC"), "UTC")).toBe(working)
  })
})
