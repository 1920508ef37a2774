import type { Day } from "./day.ts"
import { DEFAULT_RANGE, isFault, parseRange, type Range, type RangeFault } from "./range.ts"

/** The figure a ranking goes by. */
export const figureNames = ["total", "human", "ai"] as const
export type FigureName = (typeof figureNames)[number]

/** One question about the readers. */
export interface Question {
  project: string
  range: Range
  /** Path prefix, or a glob when it holds a `*`. */
  filter?: string
  by: FigureName
  /** 1 is the first page of the table. */
  page: number
}

export interface QuestionFault {
  kind: RangeFault["kind"] | "unknown_figure" | "long_filter"
  words: string
}

/** Longest filter, code points: page paths themselves are rarely longer. */
const MAX_FILTER = 300

interface Word {
  text: string
  quoted: boolean
}

/**
 * What stands behind the command → question: `[range] [filter] [by people|ai|total]`, the range also
 * behind the filter. A filter starts with `/`, holds a `*` or stands in quotes; everything from
 * there on belongs to it, so that a path with spaces needs no quotes.
 */
export function parseQuestion(text: string, project: string, today: Day): Question | QuestionFault {
  const { words, by } = takeFigure(split(text))
  if (typeof by !== "string") return by
  const start = words.findIndex(startsFilter)
  const before = start < 0 ? words : words.slice(0, start)
  const behind = start < 0 ? [] : words.slice(start)
  const { rangeText, filter } =
    before.length > 0 || behind.length === 0
      ? { rangeText: join(before), filter: join(behind) }
      : takeTrailingRange(behind, today)
  const range = parseRange(rangeText || DEFAULT_RANGE, today)
  if (isFault(range)) return { ...range, words: notUnderstood(before, today) ?? range.words }
  if (Array.from(filter).length > MAX_FILTER) return { kind: "long_filter", words: filter }
  return { project, range, by, page: 1, ...(filter ? { filter } : {}) }
}

export function isQuestionFault(result: Question | QuestionFault): result is QuestionFault {
  return "kind" in result
}

/** Double quotes of every keyboard keep words together. Spaces round `..` are not significant. */
function split(text: string): Word[] {
  const joined = text.replaceAll(/(\d{4}-\d{2}-\d{2})\s*(\.{2,3}|…)\s+(?=\d{4}-)/g, "$1..")
  const tight = joined.replaceAll(/(\d{4}-\d{2}-\d{2})\s+(\.{2,3}|…)/g, "$1..")
  return Array.from(tight.matchAll(/["“”„]([^"“”„]*)["“”„]|(\S+)/g), ([, quoted, bare]) => ({
    text: quoted ?? bare ?? "",
    quoted: quoted !== undefined,
  }))
}

function startsFilter(word: Word): boolean {
  return word.quoted || word.text.startsWith("/") || word.text.includes("*")
}

function takeFigure(words: Word[]): { words: Word[]; by: FigureName | QuestionFault } {
  const at = words.findIndex(({ text, quoted }) => !quoted && text.toLowerCase() === "by")
  if (at < 0) return { words, by: "total" }
  const named = words[at + 1]?.text ?? ""
  const by = figureOf(named)
  if (by === undefined)
    return { words, by: { kind: "unknown_figure", words: `by ${named}`.trim() } }
  return { words: [...words.slice(0, at), ...words.slice(at + 2)], by }
}

function figureOf(word: string): FigureName | undefined {
  const synonyms: Record<string, FigureName> = { people: "human", humans: "human", all: "total" }
  const text = word.toLowerCase()
  return figureNames.find((name) => name === text) ?? synonyms[text]
}

/** `/guides 30d`: the longest tail that is a range, as long as something is left to filter by. */
function takeTrailingRange(words: Word[], today: Day): { rangeText: string; filter: string } {
  for (const length of [2, 1]) {
    if (words.length <= length) continue
    const tail = words.slice(-length)
    if (tail.some(({ quoted }) => quoted) || isFault(parseRange(join(tail), today))) continue
    return { rangeText: join(tail), filter: join(words.slice(0, -length)) }
  }
  return { rangeText: "", filter: join(words) }
}

/** Of `7d guides` only `guides` was not understood. */
function notUnderstood(words: Word[], today: Day): string | undefined {
  for (const length of [2, 1]) {
    if (words.length <= length || isFault(parseRange(join(words.slice(0, length)), today))) continue
    return join(words.slice(length))
  }
  return undefined
}

function join(words: Word[]): string {
  return words.map(({ text }) => text).join(" ")
}
