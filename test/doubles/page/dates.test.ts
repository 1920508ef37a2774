import { expect, test } from "vitest"
import { ago, clockWithDay, dayHeading, formatDate } from "../../sandbox/page/mrkdwn/dates.ts"

const DAY_MS = 86_400_000
/** A leap year, hour by hour through the day. */
const moments = Array.from({ length: 366 }, (_, day) =>
  new Date(2028, 0, 1 + day, day % 24, day % 60, (7 * day) % 60).getTime(),
)
const english = (options: Intl.DateTimeFormatOptions) => (at: number) =>
  new Intl.DateTimeFormat("en-US", options).format(at).replaceAll("\u202f", " ")

test.each([
  ["{date_short}", english({ month: "short", day: "numeric", year: "numeric" })],
  ["{time}", english({ hour: "numeric", minute: "2-digit" })],
])("%s reads as English does, all through a year", (format, expected) => {
  for (const at of moments) expect(formatDate(at / 1000, format, at)).toBe(expected(at))
})

test("days carry their weekday, month and ordinal", () => {
  const rules = new Intl.PluralRules("en-US", { type: "ordinal" })
  const suffixes = new Map(Object.entries({ one: "st", two: "nd", few: "rd", other: "th" }))
  for (const at of moments) {
    const day = new Date(at).getDate()
    const monthDay = `${english({ month: "long" })(at)} ${day}${suffixes.get(rules.select(day))}`
    const heading = `${english({ weekday: "long" })(at)}, ${monthDay}`
    expect(dayHeading(at, at + 3 * DAY_MS)).toBe(heading)
    expect(formatDate(at / 1000, "{date_long}", at)).toBe(`${heading}, 2028`)
  }
})

test.each([
  [0, "just now"],
  [-4_000, "just now"],
  [-5_000, "5 seconds ago"],
  [59_000, "in 59 seconds"],
  [-60_000, "1 minute ago"],
  [119_000, "in 1 minute"],
  [-3_599_000, "59 minutes ago"],
  [7_200_000, "in 2 hours"],
  [-DAY_MS, "yesterday"],
  [1.5 * DAY_MS, "tomorrow"],
  [-2 * DAY_MS, "2 days ago"],
])("%i ms from now is %s", (ms, words) => {
  const now = Date.UTC(2028, 0, 1)
  expect(ago(now + ms, now)).toBe(words)
})

test("a time of another day says which: in a thread no heading does", () => {
  const at = new Date(2028, 2, 6, 9, 41).getTime()
  expect(clockWithDay(at, at + 3_600_000)).toBe("9:41 AM")
  expect(clockWithDay(at, at + DAY_MS)).toBe("Yesterday at 9:41 AM")
  expect(clockWithDay(at, at + 3 * DAY_MS)).toBe("Mar 6 at 9:41 AM")
})
