import { isFault, parseRange, rangeVocabulary } from "./parse-range.ts"
import { addDays, type Day, lastOf, weekdayOf } from "./utc-day.ts"

/** Maximum length of a text in which to look for a meaning, in characters. */
const MAX_LENGTH = 300
/** Maximum number of words in which to look for a meaning; no command has more. */
const MAX_WORDS = 12
/** Maximum number of words that may be a page's name. */
const MAX_NAME_WORDS = 3

/** Words that say nothing more: every report has people, AI, a chart, the top pages and a CSV. */
const FILLERS = new Set(
  `a agents ai all an and any anyone are as at best bots by chart chatgpt claude compare count csv
  dashboard data did do docs documentation does doing download export far for from get gimme give go
  googlebot gptbot graph has have hits how human humans i if in is it latest list llm llms many me
  most much my number numbers of on only our over overview page pages pageviews people per percent
  perplexity please popular read readers reading reads report right sessions share show since site so
  stat stats statistics status summary than that the to top total traffic trend trends us user users
  versus view views visit visited visitor visitors visits vs was we what which who with worst % &`.split(
    /\s+/,
  ),
)
/** Words about what readers did not find. */
const GAP_WORDS = new Set(
  `ask asked comments complaints feedback find missing negative questions search searches thumbs
  unanswered unhelpful`.split(/\s+/),
)

/** Other names of what there is, for a whole text. */
const NAMES: Readonly<Record<string, string>> = {
  all: "365d",
  "all time": "365d",
  everything: "365d",
  now: "today",
  ytd: "this year",
  mtd: "this month",
  fortnight: "14d",
  "last few days": "7d",
  daily: "subscribe daily",
  weekly: "subscribe weekly",
  monthly: "subscribe monthly",
  quarter: "this quarter",
  stop: "unsubscribe",
  "stop digest": "unsubscribe",
}

/** Words before a second period, which a report chooses by itself. */
const COMPARING = new Set("vs vs. versus compared against with".split(" "))
/** Words about a digest; one may name its rhythm. */
const DIGEST_WORDS = /^(?:digest|every|each|notify|send|post|remind)$/

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ")
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ")

type Spelling = readonly [RegExp, (parts: readonly string[], today: Day) => string]

/** Other spellings of dates, and ours. */
const SPELLINGS: readonly Spelling[] = [
  [/\btop \d+\b/, () => ""],
  [/\b(last|this|past)[-_]?(?=(?:day|week|month|quarter|year)\b)/g, ([, which]) => `${which} `],
  [/\b(?:last|past) (\d+)$/, ([, days]) => `${days}d`],
  [/\b(?:last |past )?half (?:a )?year\b/, () => "6m"],
  [/\bbetween (.+) and (.+)$/, ([, from, to]) => `${from} to ${to}`],
  [/\b(\d{4}-\d\d-\d\d)[/:](?=\d{4}-\d\d-\d\d\b)/, ([, from]) => `${from}..`],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, ([, month, day, year]) => `${year}-${month}-${day}`],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, ([, day, month, year]) => `${year}-${month}-${day}`],
  [
    /\b([a-z]{3,9}) (\d{1,2})-(\d{1,2})\b/g,
    ([, month, from, to]) => `${month} ${from} to ${month} ${to}`,
  ],
  [/\b(\d+) ?(mo|hr)s?\b/g, ([, n, unit = ""]) => `${n}${unit.charAt(0)}`],
  [/(?<=\b|\d)wks?\b/g, () => "week"],
  [/(?<=\b|\d)yrs?\b/g, () => "year"],
  [/\b(\d{1,2})(?:st|nd|rd|th)\b/g, ([, day = ""]) => day],
  [
    /\b(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})\b/g,
    ([, year = "", month = "", day = ""]) =>
      [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
  ],
  [/\bq([1-4])(?: (\d{4}))?\b/g, ([, n, year], today) => quarter(Number(n), year, today)],
  [new RegExp(`\\b(${NUMBERS.join("|")})\\b`, "g"), ([word = ""]) => `${NUMBERS.indexOf(word)}`],
  [/\b(?:current|running) /g, () => "this "],
  [/\b(\d+) (day|week|month)s? ago\b/g, ([, n, unit]) => `${n} ${unit}s`],
  [
    /\b(?:last |this )?(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\b/g,
    ([, name = ""], today) => latest(WEEKDAYS.indexOf(name), today),
  ],
  [/\b(?:since|after) (.+)$/, ([, start = ""], today) => since(start, today)],
]

/**
 * Finds what a person probably meant by words that are no command, to ask about it.
 * @param known words of commands
 * @param isCommand whether these words are a command
 */
export function meantBy(
  typed: string,
  today: Day,
  known: readonly string[],
  isCommand: (words: string) => boolean,
): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined
  const plain = typed.normalize("NFKC").replaceAll(/['’]s\b|[“”"'`?!,;<>()[\]]+/g, " ")
  // An address without its scheme has a host in front of the path.
  const words = plain
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^[\w-]+(?:\.[\w-]+)+(?=\/)/, ""))
  if (words.length > MAX_WORDS) return undefined
  const spelled = respelled(words, today)
  const bare = bareOf(spelled)
  return [
    corrected(words, known),
    corrected(corrected(words, known), rangeVocabulary),
    [NAMES[words.join(" ").toLowerCase()] ?? ""],
    spelled,
    corrected(spelled, rangeVocabulary),
    bare,
    corrected(bare, known),
    bareOf(
      spelled.slice(
        0,
        Math.max(
          0,
          spelled.findIndex((word) => COMPARING.has(word)),
        ),
      ),
    ),
    words.filter((word) => !isPath(word)),
    aboutGaps(bare),
    aboutDigests(words),
    bare.length === 0 ? ["7d"] : withPath(bare, known),
  ]
    .map((candidate) => candidate.join(" "))
    .find((candidate) => candidate !== "" && candidate !== typed && isCommand(candidate))
}

/** Spells dates as we do, and keeps one path, without a star at its end. */
function respelled(words: readonly string[], today: Day): string[] {
  const path = words.findIndex(isPath)
  const end = path < 0 ? words.length : path
  const text = words.slice(0, end).join(" ").toLowerCase()
  const dates = SPELLINGS.reduce(
    (spelled, [pattern, ours]) => spelled.replace(pattern, (...parts) => ours(parts, today)),
    text,
  )
  const [first = "", ...behind] = words.slice(end)
  const others = behind.filter((word) => !isPath(word))
  return [...dates.split(" "), first && (first.replace(/\/?\*+$/, "") || "/"), ...others].filter(
    Boolean,
  )
}

/** Leaves out what says nothing, then looks for typos in the rest. */
function bareOf(words: readonly string[]): string[] {
  return corrected(
    words.filter((word) => !FILLERS.has(word)),
    rangeVocabulary,
  )
}

/** Asks for gaps if a word is about them, with what may be a range. */
function aboutGaps(words: readonly string[]): string[] {
  return words.some((word) => GAP_WORDS.has(word)) ? ["gaps", ...words.filter(isOfRange)] : []
}

function aboutDigests(words: readonly string[]): string[] {
  if (!words.some((word) => DIGEST_WORDS.test(word.toLowerCase()))) return []
  const rhythm = words
    .map((word) => /^(?:dai|day|mont)/i.exec(word)?.[0].toLowerCase())
    .find(Boolean)
  return ["subscribe", rhythm === undefined ? "weekly" : rhythm === "mont" ? "monthly" : "daily"]
}

function isOfRange(word: string): boolean {
  return rangeVocabulary.includes(word) || /^[\d.]/.test(word)
}

/** Makes a path of the words that are no part of a range, such as `quickstart`. */
function withPath(words: readonly string[], known: readonly string[]): string[] {
  const names = words.filter((word) => !isOfRange(word))
  const isNamed = names.every((name) => /^[\p{L}\p{N}][\p{L}\p{N}._~/*-]*$/u.test(name))
  if (names.length === 0 || names.length > MAX_NAME_WORDS || !isNamed) return []
  if (corrected(names, known).some((name) => known.includes(name))) return []
  const path = names.join("-").replace(/\/?\*+$/, "")
  return [...words.filter(isOfRange), path.startsWith("/") ? path : `/${path}`]
}

/** Returns whether this is a path or a page's address, as copied from a browser. */
export function isPath(word: string): boolean {
  return /^(?:https?:\/)?\//i.test(word)
}

/** Writes the months of a quarter, the latest that has begun unless its year is named. */
function quarter(n: number, year: string | undefined, today: Day): string {
  const firstIn = (of: string | number) => `${of}-${String(3 * n - 2).padStart(2, "0")}-01`
  const thisYear = Number(today.slice(0, 4))
  const from = firstIn(year ?? (firstIn(thisYear) > today ? thisYear - 1 : thisYear))
  const to = lastOf("quarter", from)
  return `${from}..${to > today ? today : to}`
}

/** Writes the days since a start that is a range itself, such as a month. */
function since(start: string, today: Day): string {
  const range = parseRange(start, today)
  return isFault(range) ? start : `${range.from}..${today}`
}

/** Returns the latest such weekday before today. @param weekday 0 for Sunday */
function latest(weekday: number, today: Day): Day {
  return addDays(today, -(((weekdayOf(today) - weekday + 6) % 7) + 1))
}

/** Replaces words in front of a path that are one letter off one of ours. */
export function corrected(words: readonly string[], ours: readonly string[]): string[] {
  const path = words.findIndex(isPath)
  const end = path < 0 ? MAX_WORDS : Math.min(path, MAX_WORDS)
  return words.map((word, n) => (n >= end ? word : (nearest(word.toLowerCase(), ours) ?? word)))
}

/** Returns the known word that differs by one extra, missing, wrong or swapped letter, if any. */
function nearest(typed: string, ours: readonly string[]): string | undefined {
  if (typed.length < 3 || typed.length > 20 || ours.includes(typed)) return undefined
  const cuts = new Set(cutsOf(typed))
  return ours.find((word) => cutsOf(word).some((cut) => cuts.has(cut)))
}

/** Lists a word and its forms without one letter; words that are one typo apart share one. */
function cutsOf(word: string): string[] {
  const cuts = Array.from({ length: word.length }, (_, n) => word.slice(0, n) + word.slice(n + 1))
  return [word, ...cuts]
}
