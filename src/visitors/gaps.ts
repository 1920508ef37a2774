import { z } from "zod"
import { DocsError, docsFaults, orDocsError } from "../errors/docs-error.ts"
import type { AssistantQuestion, DocsApi, PageThumbs, Search } from "../ports/docs-api.ts"
import type { Clock } from "../runtime/time.ts"
import { quoteLines } from "../text/plain-text.ts"
import { type Range, serviceDates } from "./range.ts"
import { keepMs, type LimitAnalytics, type Reader } from "./readings.ts"
import { type Answer, answer } from "./report.ts"
import type { SharedReadings } from "./shared-readings.ts"

/** The service's reports beyond visitors, which the bot reads for gaps. */
export const gapOperations = ["assistant", "searches", "thumbs"] as const
export type GapOperation = (typeof gapOperations)[number]

const count = z.number().nonnegative()
const path = z.string()

/** One gap with its evidence. */
export const gap = z.discriminatedUnion("kind", [
  /** `asked`: talks with the assistant in which it came up, as near to people as the service goes. */
  z.object({
    kind: z.literal("question"),
    text: z.string(),
    asked: count,
    path: path.exactOptional(),
  }),
  /** `lost`: searches after which no page was opened; `path`: the one that a few opened. */
  z.object({
    kind: z.literal("search"),
    text: z.string(),
    hits: count,
    lost: count,
    path: path.exactOptional(),
  }),
  z.object({ kind: z.literal("page"), path, up: count, down: count }),
])
export type Gap = z.infer<typeof gap>

/** One kind of gap: known, not offered by this deployment, or not to be had just now. */
const part = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("known"), gaps: z.array(gap) }),
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("failed"), fault: z.enum(docsFaults) }),
])

/** Gaps as they are stored: grouped and masked, never the rows they were made of. */
export const gapFacts = z.object({
  assistant: part,
  searches: part,
  thumbs: part,
  /** Questions that were read, and the unanswered among them; `isWhole`: all of the range. */
  questions: z.object({ read: count, unanswered: count, isWhole: z.boolean() }).optional(),
})
type GapFacts = z.infer<typeof gapFacts>

export interface GapReport extends GapFacts {
  /** As people name it. */
  project: string
  range: Range
  /** When it was read, ms. */
  readAt: number
}

/** Requests of each kind in a minute. */
const SHOWN = 5
/** The service's largest pages, and how many of questions are read. */
const QUESTIONS = 1000
const QUESTION_PAGES = 5
const ROWS = 100
/** A plan without the operation, one it has never had, and one that is not built yet. */
const LACKING = [403, 404, 501]
/** An answer of which a part could not be had is asked for again soon, ms. */
const FAILED_MS = 60_000
/** Fewer searches may be one person's typing, and a single thumb anything. */
const FEWEST_HITS = 3
const FEWEST_DOWN = 2
/** Share of searches that lead to a page; with more the search works for people. */
const FEW_CLICKS = 0.1

interface GapDeps {
  docs: Pick<DocsApi, GapOperation>
  limit: LimitAnalytics
  shared: SharedReadings
  now: Clock
  nameOf: (project: string) => string
}

export type AskGaps = ReturnType<typeof createGapQuery>

/** Reads what readers did not find, once for all who ask; kept as long as the visitors' figures. */
export function createGapQuery({ docs, limit, shared, now, nameOf }: GapDeps) {
  async function read(reader: Reader, project: string, range: Range): Promise<GapReport> {
    const key = `${project}:${range.from}:${range.to}`
    const { value, at } = await shared.gaps.once(key, async () => {
      const began = await now()
      const from = <T>(request: () => Promise<T>) => limit(reader, project, request)
      const facts = await readGaps(docs, from, project, range)
      const hasFailed = gapOperations.some((operation) => facts[operation].kind === "failed")
      return {
        reading: { value: facts, at: began },
        keepMs: hasFailed ? FAILED_MS : keepMs(range, began),
      }
    })
    return { project: nameOf(project), range, readAt: at, ...value }
  }
  return (reader: Reader, project: string, range: Range): Promise<Answer<GapReport>> =>
    answer(now, read(reader, project, range))
}

type Limited = <T>(request: () => Promise<T>) => Promise<T>
type Outcome<T> = { known: T } | { error: DocsError }

/**
 * Reads the three kinds. Where nothing can be read at all it is the key or the service, and not a lack of
 * this deployment. Throws DocsError then.
 */
async function readGaps(
  docs: Pick<DocsApi, GapOperation>,
  limited: Limited,
  project: string,
  range: Range,
): Promise<GapFacts> {
  const days = { ...serviceDates(range), limit: ROWS }
  const [assistant, searches, thumbs] = await Promise.all([
    outcome(readQuestions(docs, limited, project, range)),
    outcome(limited(() => docs.searches(project, days))),
    outcome(limited(() => docs.thumbs(project, days))),
  ])
  const errors = [assistant, searches, thumbs].flatMap((one) => ("error" in one ? one.error : []))
  const serious = errors.find(({ status }) => status !== 404 && status !== 501)
  if (errors.length === gapOperations.length && serious) throw serious
  const questions = "known" in assistant ? assistant.known : undefined
  return {
    assistant: partOf(assistant, ({ all }) => questionGaps(all)),
    searches: partOf(searches, searchGaps),
    thumbs: partOf(thumbs, pageGaps),
    questions: questions && {
      read: questions.all.length,
      unanswered: questions.all.filter(({ isAnswered }) => !isAnswered).length,
      isWhole: questions.isWhole,
    },
  }
}

async function outcome<T>(reading: Promise<T>): Promise<Outcome<T>> {
  const value = await reading.catch(orDocsError)
  return value instanceof DocsError ? { error: value } : { known: value }
}

function partOf<T>(from: Outcome<T>, gapsOf: (value: T) => Gap[]): z.infer<typeof part> {
  if ("known" in from) return { kind: "known", gaps: gapsOf(from.known).slice(0, SHOWN) }
  const { status, fault } = from.error
  return LACKING.includes(status ?? 0) ? { kind: "absent" } : { kind: "failed", fault }
}

/** As many pages as are worth their requests; where one fails, what was read before it counts. */
async function readQuestions(
  docs: Pick<DocsApi, "assistant">,
  limited: Limited,
  project: string,
  range: Range,
): Promise<{ all: AssistantQuestion[]; isWhole: boolean }> {
  const all: AssistantQuestion[] = []
  let cursor: string | undefined
  for (let page = 0; page < QUESTION_PAGES; page++) {
    const query = { ...serviceDates(range), limit: QUESTIONS, ...(cursor ? { cursor } : {}) }
    const read = await limited(() => docs.assistant(project, query)).catch(orDocsError)
    if (read instanceof DocsError) {
      if (page === 0) throw read
      return { all, isWhole: false }
    }
    all.push(...read.questions)
    cursor = read.next
    if (cursor === undefined || read.questions.length === 0) return { all, isWhole: true }
  }
  return { all, isWhole: false }
}

/** Unanswered questions in the same words, capitals and punctuation aside; most asked first. */
function questionGaps(all: readonly AssistantQuestion[]): Gap[] {
  const groups = new Map<string, { text: string; talks: Set<string>; paths: string[] }>()
  for (const { text, talk, isAnswered, path: on } of all) {
    const key = sameWords(text)
    if (isAnswered || key === "") continue
    const group = groups.get(key) ?? { text, talks: new Set(), paths: [] }
    groups.set(key, group)
    if (!group.talks.has(talk) && on !== undefined) group.paths.push(on)
    group.talks.add(talk)
  }
  return [...groups.values()]
    .map(({ text, talks, paths }) => {
      const most = mostFrequent(paths)
      const where = most === undefined ? {} : { path: most }
      return { kind: "question" as const, text, asked: talks.size, ...where }
    })
    .toSorted((a, b) => b.asked - a.asked || byText(a, b))
}

/** Searches after which hardly anybody opens a page, by how many were left with nothing. */
function searchGaps(all: readonly Search[]): Gap[] {
  // Whether a rate of 25 or of 0.25 is a quarter is not documented: one above 1 shows it is percent.
  const whole = all.some(({ clicks }) => clicks > 1) ? 100 : 1
  const merged = new Map<string, Extract<Gap, { kind: "search" }>>()
  for (const { text, hits, clicks, path: opened } of all) {
    const key = sameWords(text)
    // A question that is masked from end to end says nothing about the docs.
    if (key === "") continue
    const share = opened === undefined ? 0 : Math.min(1, clicks / whole)
    const known = merged.get(key) ?? { kind: "search" as const, text, hits: 0, lost: 0 }
    const lost = known.lost + hits * (1 - share)
    const where = known.path === undefined && opened !== undefined ? { path: opened } : {}
    merged.set(key, { ...known, ...where, hits: known.hits + hits, lost })
  }
  return [...merged.values()]
    .filter(({ hits, lost }) => hits >= FEWEST_HITS && lost > hits * (1 - FEW_CLICKS))
    .toSorted((a, b) => b.lost - a.lost || byText(a, b))
    .map((search) => ({ ...search, lost: Math.round(search.lost) }))
}

/** Pages with at least as many thumbs down as up. */
function pageGaps(all: readonly PageThumbs[]): Gap[] {
  return all
    .filter(({ up, down }) => down >= FEWEST_DOWN && down >= up)
    .toSorted((a, b) => b.down - a.down || a.up - b.up || (a.path < b.path ? -1 : 1))
    .map((page) => ({ kind: "page" as const, ...page }))
}

/** Letters and digits alone, in small letters; a mark of the mask is no word. */
function sameWords(text: string): string {
  const bare = text.normalize("NFKC").toLowerCase()
  const words = bare.replaceAll(/\[(?:e-mail|number|secret)\]/g, " ").match(/[\p{L}\p{N}]+/gu)
  return words?.join(" ") ?? ""
}

function mostFrequent(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}

/** By code units: the same on every machine. */
function byText(a: { text: string }, b: { text: string }): number {
  return a.text < b.text ? -1 : Number(a.text > b.text)
}

/**
 * The request that a person would make about a gap, with the evidence. What readers wrote stands in a
 * quotation: it is what they said, and not what is asked for.
 */
export function requestFor(of: Gap, { from, to }: Range): string {
  const when = from === to ? `on ${from}` : `from ${from} to ${to}`
  switch (of.kind) {
    case "question": {
      const where = of.path === undefined ? "" : `, most often on ${of.path}`
      return `Readers asked the docs assistant this and got no answer:\n${quoteLines(of.text)}\nIt came up in ${times(of.asked, "conversation")} ${when}${where}. Add what is missing, on that page or where it fits best.`
    }
    case "search": {
      const few =
        of.path === undefined ? "and nobody found a page" : "and hardly anybody opened one"
      return `Readers searched the docs for this, ${few}:\n${quoteLines(of.text)}\nThere were ${times(of.hits, "search", "searches")} ${when}, ${of.lost} of them without a result that helped. Cover it, in words that this search finds.`
    }
    case "page":
      return `Improve the page ${of.path}: it got ${times(of.down, "thumb")} down and ${of.up} up ${when}. Find out what it leaves unclear or gets wrong, and fix that.`
  }
}

function times(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}
