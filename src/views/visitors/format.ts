import type { FigureName } from "../../visitors/question.ts"
import type { Range, RangeWord } from "../../visitors/range.ts"

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** A count to the digit: `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en-US")
}

/** As the first word of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function plural(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** `9–15 Nov 2026`, `28 Oct – 3 Nov 2026`, `28 Dec 2025 – 3 Jan 2026`, `9 Nov 2026`. */
export function rangeTitle({ from, to }: Range): string {
  const [a, b] = [parts(from), parts(to)]
  if (from === to) return `${b.day} ${b.month} ${b.year}`
  if (a.year !== b.year) return `${a.day} ${a.month} ${a.year} – ${b.day} ${b.month} ${b.year}`
  if (a.month !== b.month) return `${a.day} ${a.month} – ${b.day} ${b.month} ${b.year}`
  return `${a.day}–${b.day} ${b.month} ${b.year}`
}

/** The same without years, for a chart's axis: at most 13 characters, as Slack takes 20. */
export function rangeLabel({ from, to }: Range): string {
  const [a, b] = [parts(from), parts(to)]
  if (from === to) return `${b.day} ${b.month}`
  return a.month === b.month
    ? `${a.day}–${b.day} ${b.month}`
    : `${a.day} ${a.month}–${b.day} ${b.month}`
}

export const rangeNames: Readonly<Record<RangeWord, string>> = {
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  today: "Today",
  yesterday: "Yesterday",
  "this week": "This week",
  "last week": "Last week",
  "this month": "This month",
  "last month": "Last month",
}

/** When, as the end of a sentence: "in the last 7 days", "from 9–15 Nov 2026". */
export function rangePhrase(range: Range, word: RangeWord | undefined): string {
  if (word === undefined) return `${range.from === range.to ? "on" : "from"} ${rangeTitle(range)}`
  const name = rangeNames[word].toLowerCase()
  return name.endsWith("days") ? `in the ${name}` : name
}

export const figureTitles: Readonly<Record<FigureName, string>> = {
  total: "All",
  human: "People",
  ai: "AI",
}

/** As it stands in a sentence: "by …". */
export const figureWords: Readonly<Record<FigureName, string>> = {
  total: "all visitors",
  human: "people",
  ai: "AI visitors",
}

function parts(day: string): { day: number; month: string; year: string } {
  const [year = "", month = "", date = ""] = day.split("-")
  return { day: Number(date), month: MONTHS[Number(month) - 1] ?? month, year }
}
