/**
 * English month names. Not from `Intl`: it loads its data on first use, which would delay the first
 * message on the screen.
 */
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const DAY_MS = 86_400_000

type Style = (at: Date, now: Date) => string

/** Tokens of Slack's date format that the bot and this page use, in the viewer's time zone. */
const TOKENS: Readonly<Record<string, Style>> = {
  date_short: shortDate,
  date_short_pretty: (at, now) => dayWord(at, now) ?? shortDate(at),
  time: timeOfDay,
  ago: (at, now) => ago(at.getTime(), now.getTime()),
}

export function formatDate(at: number, format: string, now: number): string {
  const [date, today] = [new Date(at * 1000), new Date(now)]
  return format.replaceAll(/\{(\w+)\}/g, (all, name: string) => TOKENS[name]?.(date, today) ?? all)
}

/** Returns a time in ms relative to `now`: "3 minutes ago", "in 2 hours", "yesterday". */
export function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  if (Math.abs(seconds) < 5) return "just now"
  const steps = { day: 86_400, hour: 3600, minute: 60, second: 1 }
  for (const [unit, size] of Object.entries(steps)) {
    const count = Math.trunc(seconds / size)
    if (count !== 0) return relative(count, unit)
  }
  return "just now"
}

export function clockWithDay(at: number, now: number): string {
  const words = formatDate(at / 1000, "{date_short_pretty} at {time}", now)
  // The year wouldn't fit beside the name.
  return words.startsWith("today") ? timeOfDay(new Date(at)) : words.replace(/, \d{4}/, "")
}

function relative(count: number, unit: string): string {
  if (unit === "day" && Math.abs(count) === 1) return count < 0 ? "yesterday" : "tomorrow"
  const words = `${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? "" : "s"}`
  return count < 0 ? `${words} ago` : `in ${words}`
}

function dayWord(at: Date, now: Date): string | undefined {
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS)
  return { "-1": "yesterday", "0": "today", "1": "tomorrow" }[String(days)]
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
}

function timeOfDay(at: Date): string {
  const hours = at.getHours()
  const minutes = String(at.getMinutes()).padStart(2, "0")
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`
}

function shortDate(at: Date): string {
  return `${MONTHS[at.getMonth()] ?? ""} ${at.getDate()}, ${at.getFullYear()}`
}
