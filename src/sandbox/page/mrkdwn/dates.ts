const LOCALE = "en-US"
const DAY_MS = 86_400_000

type Style = (at: Date, now: Date) => string

const parts = (options: Intl.DateTimeFormatOptions) => (at: Date) =>
  new Intl.DateTimeFormat(LOCALE, options).format(at)

const long: Style = (at) => {
  const weekday = parts({ weekday: "long" })(at)
  return `${weekday}, ${ordinalDate(at)}`
}
const short = parts({ month: "short", day: "numeric", year: "numeric" })

/** The tokens of Slack's date format, in the viewer's own zone. */
const TOKENS: Readonly<Record<string, Style>> = {
  date_num: (at) =>
    [at.getFullYear(), pad(at.getMonth() + 1), pad(at.getDate())].map(String).join("-"),
  date: ordinalDate,
  date_short: short,
  date_long: long,
  date_pretty: pretty(ordinalDate),
  date_short_pretty: pretty(short),
  date_long_pretty: pretty(long),
  date_long_full: long,
  time: parts({ hour: "numeric", minute: "2-digit" }),
  time_secs: parts({ hour: "numeric", minute: "2-digit", second: "2-digit" }),
  ago: (at, now) => ago(at.getTime(), now.getTime()),
}

/** Fills in a date format; an unknown token stays as it is, as in Slack. @param at seconds */
export function formatDate(at: number, format: string, now: number): string {
  const [date, today] = [new Date(at * 1000), new Date(now)]
  return format.replaceAll(/\{(\w+)\}/g, (all, name: string) => TOKENS[name]?.(date, today) ?? all)
}

/** "3 minutes ago", "in 2 hours"; both in ms. */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3600],
    ["minute", 60],
  ]
  const format = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto" })
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? "just now" : format.format(seconds, "second")
}

/** "1:15 AM" */
export function clock(at: number): string {
  return formatDate(at / 1000, "{time}", at)
}

/** A day as a heading: "Today", "Yesterday", "Saturday, November 21st". */
export function dayHeading(at: number, now: number): string {
  const words = dayWord(new Date(at), new Date(now))
  if (words === undefined)
    return `${parts({ weekday: "long" })(new Date(at))}, ${monthDay(new Date(at))}`
  return `${words[0]?.toUpperCase()}${words.slice(1)}`
}

function pretty(otherwise: Style): Style {
  return (at, now) => dayWord(at, now) ?? otherwise(at, now)
}

function dayWord(at: Date, now: Date): string | undefined {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS)
  return { "-1": "yesterday", "0": "today", "1": "tomorrow" }[String(days)]
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
}

function ordinalDate(at: Date): string {
  return `${monthDay(at)}, ${at.getFullYear()}`
}

function monthDay(at: Date): string {
  const day = at.getDate()
  const rule = new Intl.PluralRules(LOCALE, { type: "ordinal" }).select(day)
  const suffix = { one: "st", two: "nd", few: "rd", other: "th", many: "th", zero: "th" }[rule]
  return `${parts({ month: "long" })(at)} ${day}${suffix}`
}

function pad(value: number): string {
  return String(value).padStart(2, "0")
}
