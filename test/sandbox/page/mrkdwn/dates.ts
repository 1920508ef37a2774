const DAY_MS = 86_400_000

const SHORT_DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium" })
const TIME_OF_DAY = new Intl.DateTimeFormat("en-US", { timeStyle: "short" })
const RELATIVE = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" })

type Style = (at: Date, now: Date) => string

/** Tokens of Slack's date format that the bot and this page use, in the viewer's time zone. */
const TOKENS: Readonly<Record<string, Style>> = {
  date_short: (at) => SHORT_DATE.format(at),
  date_short_pretty: (at, now) => {
    const days = daysBetween(now, at)
    return Math.abs(days) > 1 ? SHORT_DATE.format(at) : RELATIVE.format(days, "day")
  },
  time: (at) => TIME_OF_DAY.format(at),
  ago: (at, now) => ago(at.getTime(), now.getTime()),
}

export function formatDate(at: number, format: string, now: number): string {
  const [date, today] = [new Date(at * 1000), new Date(now)]
  return format.replaceAll(/\{(\w+)\}/g, (all, name: string) => TOKENS[name]?.(date, today) ?? all)
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const

/** Returns a time in ms relative to `now`: "3 minutes ago", "in 2 hours", "yesterday". */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  if (Math.abs(seconds) < 5) return "just now"
  const [unit, size] = UNITS.find((one) => Math.abs(seconds) >= one[1]) ?? ["second", 1]
  return RELATIVE.format(Math.trunc(seconds / size), unit)
}

export function clockWithDay(at: number, now: number): string {
  const words = formatDate(at / 1000, "{date_short_pretty} at {time}", now)
  // Without the word for today; and the year wouldn't fit beside the name.
  return words.replace(/^today at /, "").replace(/, \d{4}/, "")
}

function daysBetween(from: Date, to: Date): number {
  return Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS)
}

function startOfDay(at: Date): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
