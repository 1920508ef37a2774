import { DateTime } from "luxon"
import { describe, expect, test } from "vitest"
import { isWorkingTime, reminderAt } from "../../src/pulls/reminder.ts"

const at = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toMillis()
const words = (ms: number, zone: string) =>
  DateTime.fromMillis(ms, { zone }).toFormat("ccc yyyy-MM-dd HH:mm")

describe("when people are reminded of a pull request that nobody touched", () => {
  test.each([
    ["three days later at the same hour", "2026-11-23T11:00", "Thu 2026-11-26 11:00"],
    ["Saturday and Sunday not counted", "2026-11-19T11:00", "Tue 2026-11-24 11:00"],
    ["of a weekend, from Monday on", "2026-11-21T11:00", "Wed 2026-11-25 11:00"],
    ["not in the evening but in the morning", "2026-11-23T22:30", "Fri 2026-11-27 09:00"],
    ["not at night", "2026-11-23T03:00", "Thu 2026-11-26 09:00"],
    ["not in the night to Saturday", "2026-11-17T20:00", "Mon 2026-11-23 09:00"],
  ])("%s", (_, touched, says) => {
    for (const zone of ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
      expect(words(reminderAt(at(touched, zone), 3, zone), zone)).toBe(says)
  })

  test("over a change of the clock it keeps its hour", () => {
    const zone = "Europe/Berlin"
    expect(words(reminderAt(at("2026-10-23T11:00", zone), 1, zone), zone)).toBe(
      "Mon 2026-10-26 11:00",
    )
  })

  test("a zone that nobody knows is UTC", () => {
    expect(words(reminderAt(at("2026-11-23T11:00", "UTC"), 1, "Not/Real"), "UTC")).toBe(
      "Tue 2026-11-24 11:00",
    )
  })

  test.each([
    ["2026-11-23T09:00", true],
    ["2026-11-23T16:59", true],
    ["2026-11-23T17:00", false],
    ["2026-11-23T08:59", false],
    ["2026-11-22T12:00", false],
  ])("%s: %s", (moment, working) => {
    expect(isWorkingTime(at(moment, "UTC"), "UTC")).toBe(working)
  })
})
