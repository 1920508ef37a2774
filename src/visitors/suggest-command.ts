import { addDays, type Day } from "../lib/time.ts"
import { isFault, parseRange, rangeVocabulary } from "./parse-range.ts"
import { DEFAULT_RANGE, weekdayName } from "./range.ts"

/** Maximum length of a text in which to look for a meaning, in characters and in words. */
const MAX_LENGTH = 300
const MAX_WORDS = 12
/** Maximum number of unknown words that may be a page's name; more are a sentence. */
const MAX_NAME_WORDS = 2

const wordList = (text: string) => text.split(/\s+/)
const COMMAND_WORDS = wordList(
  "gaps feedback subscribe unsubscribe subscriptions alert on off list help daily weekly monthly people ai",
)
/** Orders for a channel: a report is no answer to one that is not understood. */
const STANDING_ORDERS = new Set(["alert", "alerts", "subscribe", "unsubscribe"])
/** Words that say nothing more: every report has people, AI, a chart, the top pages and a CSV. */
const FILLERS = new Set(
  wordList(`a agents ago ai all and any bots by chart chatgpt claude compare count csv data do docs
  documentation download export for get give graph how human humans i in is latest llm llms many me
  most much number numbers of on only our overview page pages pageviews people please popular read
  readers reads report sessions show site stats statistics the to top total traffic trend trends us
  user users versus view views visitor visitors visits vs we what who with & %`),
)
/** Words about what readers did not find. */
const GAP_WORDS = new Set(
  wordList(`ask asked comments complaints feedback find missing questions search searches thumbs
  unanswered`),
)

/** Other spellings of a range, and ours. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(last|this|past)[-_]?(?=(?:day|week|month|quarter|year)$)/, "$1 "],
  [/(?<=\d)(?:st|nd|rd|th)\b/g, ""],
  [/^since (.+)$/, "$1 to today"],
  [/^between (.+) and (.+)$/, "$1 to $2"],
  [/^(?:(?:last|past) )?(\d{1,3})$/, "$1d"],
  [/\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b/g, "$1-$2-$3"],
  [/\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g, "$3-$1-$2"],
  [/\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g, "$3-$2-$1"],
  [/^(\d{1,2})\/(\d{4})$/, "$2-$1"],
  [/^(\d{4}-[\d-]+)[ /:](\d{4}-[\d-]+)$/, "$1..$2"],
  [/^ytd$/, "this year"],
  [/^mtd$/, "this month"],
  [/^wtd$/, "this week"],
  [/^all time$/, "365d"],
  [/^([a-z]{3,9}) (\d{1,2})-(\d{1,2})$/, "$1 $2 to $1 $3"],
  [/^(\d{1,2})-(\d{1,2}) ([a-z]{3,9})$/, "$1 $3 to $2 $3"],
]
const WEEKDAY = /\b(?:last |this )?(sun|mon|tue|wed|thu|fri|sat)(?:s|nes|rs|ur)?(?:day)?\b/g

/**
 * Finds the command that a person probably meant by words that are none, to ask about it.
 * @param isCommand whether these words are a command
 */
export function suggestCommand(
  typed: string,
  today: Day,
  isCommand: (words: string) => boolean,
): string | undefined {
  if (typed.length > MAX_LENGTH) return undefined
  const words = splitWords(typed)
  if (words.length > MAX_WORDS) return undefined
  const command = corrected(words, COMMAND_WORDS)
  return [
    command.join(" "),
    `subscribe ${command.join(" ")}`,
    understood(words, today),
    command.filter((word) => !FILLERS.has(word)).join(" "),
  ].find((words) => words && words !== typed && isCommand(words))
}

/** Splits a text into words, without punctuation, the host of an address and a path's last `*`. */
function splitWords(typed: string): string[] {
  const plain = typed.replaceAll(/['’]s\b|[“”"'`?!,;<>()[\]]+/g, " ").trim()
  const words = plain.split(/\s+/).map((word) => word.replace(/^[\w-]+(?:\.[\w-]+)+(?=\/)/, ""))
  return words.map((word) => word.replace(/(?<=.)\/?\*+$/, ""))
}

/** Makes a command of the range that the words hold and of what the other words are about. */
function understood(words: readonly string[], today: Day): string | undefined {
  const path = words.find(isPath)
  const plain = words.filter((word) => !isPath(word)).map((word) => word.toLowerCase())
  const { range, rest } = findRange(corrected(plain, rangeVocabulary), today)
  if (rest[0] === "gaps" || rest.some((word) => GAP_WORDS.has(word))) return `gaps ${range}`.trim()
  // The words of a range that is not ours name no page.
  const isOfRange = (word: string) => rangeVocabulary.includes(word)
  if (range === "" && rest.some(isOfRange)) return undefined
  if (rest.some((word) => STANDING_ORDERS.has(word))) return undefined
  if (path !== undefined) return `${range} ${path}`.trim()
  const names = rest.filter(
    (word) => !FILLERS.has(word) && !isOfRange(word) && !/^\d{1,3}$/.test(word),
  )
  if (names.length === 0) return range || DEFAULT_RANGE
  return names.length > MAX_NAME_WORDS ? range || undefined : pageCalled(names, range)
}

/** Finds the longest run of words that is a range, in our spelling. */
function findRange(words: readonly string[], today: Day): { range: string; rest: string[] } {
  for (let length = words.length; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const range = inOurSpelling(words.slice(start, start + length).join(" "), today)
      if (isFault(parseRange(range, today))) continue
      return { range, rest: [...words.slice(0, start), ...words.slice(start + length)] }
    }
  return { range: "", rest: [...words] }
}

function inOurSpelling(words: string, today: Day): string {
  const week = [1, 2, 3, 4, 5, 6, 7].map((days) => addDays(today, -days))
  return SPELLINGS.reduce((text, [pattern, ours]) => text.replace(pattern, ours), words).replace(
    WEEKDAY,
    (_, name: string) =>
      week.find((day) => weekdayName(day).toLowerCase().startsWith(name)) ?? name,
  )
}

/** Makes a path of a page's name, such as `quickstart` or `2fa`; `2d` and `1/11/2026` name none. */
function pageCalled(names: readonly string[], range: string): string | undefined {
  const isName = names.every((name) =>
    /^(?=\p{L}|.*\p{L}{2})[\p{L}\p{N}][\p{L}\p{N}._~/*-]*$/u.test(name),
  )
  const isOurs = corrected(names, COMMAND_WORDS).some((name) => COMMAND_WORDS.includes(name))
  if (!isName || isOurs) return undefined
  return `${range} /${names.join("-")}`.trim()
}

/** Returns whether this is a path or a page's address, as copied from a browser. */
export function isPath(word: string): boolean {
  return /^(?:https?:\/)?\//i.test(word)
}

/** Replaces words in front of a path that are one letter off one of ours. */
function corrected(words: readonly string[], ours: readonly string[]): string[] {
  const path = words.findIndex(isPath)
  return words.map((word, n) => (path >= 0 && n >= path ? word : correctedWord(word, ours)))
}

/** Returns the known word that differs by one extra, missing, wrong or swapped letter, if any. */
function correctedWord(typed: string, ours: readonly string[]): string {
  const word = typed.toLowerCase()
  if (word.length < 3 || word.length > 20 || FILLERS.has(word) || ours.includes(word)) return typed
  const cuts = new Set(cutsOf(word))
  const isNear = (known: string) => known.length > 2 && cutsOf(known).some((cut) => cuts.has(cut))
  return ours.find(isNear) ?? typed
}

/** Lists a word and its forms without one letter; words that are one typo apart share one. */
function cutsOf(word: string): string[] {
  const cuts = Array.from({ length: word.length }, (_, n) => word.slice(0, n) + word.slice(n + 1))
  return [word, ...cuts]
}
