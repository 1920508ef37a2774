import { z } from "zod"
import type { AssistantQuestion, PageThumbs, Search } from "../docs/analytics.ts"
import type { DocsApi } from "../docs/client.ts"
import { DocsError, orDocsError } from "../errors/docs-error.ts"
import type { VisitorsDeps } from "./deps.ts"
import type { Reader } from "./hour.ts"
import { type Range, serviceDates } from "./range.ts"

/** The service's reports beyond visitors, which the bot reads for gaps. */
export const gapOperations = ["assistant", "searches", "thumbs"] as const
export type GapOperation = (typeof gapOperations)[number]

const count = z.number().nonnegative()
const path = z.string()

/** A gap with its evidence. */
export const gap = z.discriminatedUnion("kind", [
  /** `asked` counts the assistant conversations with the question, the service's closest figure to people. */
  z.object({
    kind: z.literal("question"),
    text: z.string(),
    asked: count,
    path: path.exactOptional(),
  }),
  /** `lost` counts the searches after which nobody opened a page; `path` is the page that a few people opened. */
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

const gaps = z.array(gap).exactOptional()
/**
 * Gaps as the cache stores them: grouped and masked, without the original rows. A kind that this
 * deployment lacks is absent.
 */
const gapFacts = z.object({
  assistant: gaps,
  searches: gaps,
  thumbs: gaps,
  /** The numbers of questions read and unanswered; `isWhole` if the bot read all questions of the range. */
  questions: z.object({ read: count, unanswered: count, isWhole: z.boolean() }).exactOptional(),
})

export type GapReport = Awaited<ReturnType<typeof readGaps>>

/** The number of gaps of each kind in a message. */
const SHOWN = 5
/** The largest pages that the service allows. */
const QUESTIONS = 1000
const ROWS = 100
/** The statuses for an operation that the plan excludes, that does not exist, or that is not built yet. */
const LACKING = [403, 404, 501]
/**
 * The fewest searches and thumbs down for a gap: fewer searches may be one person's typing, and a
 * single thumb is chance.
 */
const FEWEST_HITS = 3
const FEWEST_DOWN = 2
/** The share of searches that lead to a page, above which the search works well enough. */
const FEW_CLICKS = 0.1

/**
 * Reads what readers did not find, once for everybody who asks; caches it as long as the visitors'
 * figures.
 * @throws DocsError
 */
export async function readGaps(
  deps: Pick<VisitorsDeps, "docs" | "limit" | "cached" | "nameOf">,
  reader: Reader,
  project: string,
  range: Range,
) {
  const { docs, limit, cached, nameOf } = deps
  const { value, at } = await cached(gapFacts, { kind: "gaps", project, range }, () =>
    readFacts(docs, (request) => limit(reader, project, request), project, range),
  )
  /** `project` is the project's name, `readAt` when the bot read the gaps, in ms. */
  return { project: nameOf(project), range, readAt: at, ...value }
}

/**
 * Reads the three kinds of gaps. Throws DocsError if one fails, or if all three are lacking and one
 * is forbidden: then the key lacks the right and the deployment may have them.
 */
async function readFacts(
  docs: Pick<DocsApi, GapOperation>,
  limited: <T>(request: () => Promise<T>) => Promise<T>,
  project: string,
  range: Range,
): Promise<z.infer<typeof gapFacts>> {
  const days = { ...serviceDates(range), limit: ROWS }
  const [assistant, searches, thumbs] = await Promise.all([
    orLacking(limited(() => docs.assistant(project, { ...days, limit: QUESTIONS }))),
    orLacking(limited(() => docs.searches(project, days))),
    orLacking(limited(() => docs.thumbs(project, days))),
  ])
  const lacking = [assistant, searches, thumbs].filter((one) => one instanceof DocsError)
  const refused = lacking.find(({ status }) => status === 403)
  if (lacking.length === gapOperations.length && refused) throw refused
  return {
    ...(assistant instanceof DocsError ? {} : questionFacts(assistant)),
    ...(searches instanceof DocsError ? {} : { searches: searchGaps(searches).slice(0, SHOWN) }),
    ...(thumbs instanceof DocsError ? {} : { thumbs: pageGaps(thumbs).slice(0, SHOWN) }),
  }
}

async function orLacking<T>(reading: Promise<T>): Promise<T | DocsError> {
  const value = await reading.catch(orDocsError)
  if (value instanceof DocsError && !LACKING.includes(value.status ?? 0)) throw value
  return value
}

function questionFacts({ questions, isWhole }: Awaited<ReturnType<DocsApi["assistant"]>>) {
  const unanswered = questions.filter(({ isAnswered }) => !isAnswered)
  return {
    assistant: questionGaps(unanswered).slice(0, SHOWN),
    questions: { read: questions.length, unanswered: unanswered.length, isWhole },
  }
}

/** Groups questions with the same words, ignoring case and punctuation; most asked first. */
function questionGaps(unanswered: readonly AssistantQuestion[]): Gap[] {
  const groups = new Map<string, { text: string; talks: Set<string>; paths: string[] }>()
  for (const { text, talk, path: on } of unanswered) {
    const key = sameWords(text)
    if (key === "") continue
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

/** Returns the searches after which hardly anybody opens a page, most unsuccessful searches first. */
function searchGaps(all: readonly Search[]): Gap[] {
  // The service's document does not say whether 25 or 0.25 means a quarter; any rate above 1 shows
  // that rates are percentages.
  const whole = all.some(({ clicks }) => clicks > 1) ? 100 : 1
  const merged = new Map<string, Extract<Gap, { kind: "search" }>>()
  for (const { text, hits, clicks, path: opened } of all) {
    const key = sameWords(text)
    // A fully masked text says nothing about the docs.
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

/** Returns the pages with at least as many thumbs down as up. */
function pageGaps(all: readonly PageThumbs[]): Gap[] {
  return all
    .filter(({ up, down }) => down >= FEWEST_DOWN && down >= up)
    .toSorted((a, b) => b.down - a.down || a.up - b.up || (a.path < b.path ? -1 : 1))
    .map((page) => ({ kind: "page" as const, ...page }))
}

/** Reduces a text to lowercase letters and digits, without the mask's marks. */
export function sameWords(text: string): string {
  const bare = text.normalize("NFKC").toLowerCase()
  const words = bare.replaceAll(/\[(?:e-mail|number|secret)\]/g, " ").match(/[\p{L}\p{N}]+/gu)
  return words?.join(" ") ?? ""
}

function mostFrequent(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0]
}

/** Compares by code units, so that the order is the same on every machine. */
function byText(a: { text: string }, b: { text: string }): number {
  return a.text < b.text ? -1 : Number(a.text > b.text)
}
