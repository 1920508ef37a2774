import { z } from "zod"
import { ABSENT } from "../docs-service/answer-faults.ts"
import type { DocsApi } from "../docs-service/docs-client.ts"
import { type DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { PageThumbs, Questions, Search } from "../docs-service/reader-signals.ts"
import { defined } from "../lib/defined.ts"
import type { LimitAnalytics, Reader } from "./analytics-limit.ts"
import { gap } from "./gap.ts"
import { type Range, serviceDates } from "./range.ts"
import type { ReadingCache } from "./reading-cache.ts"

export const gapOperations = ["assistant", "searches", "thumbs"] as const
export type GapOperation = (typeof gapOperations)[number]

const count = z.number().nonnegative()
const gaps = z.array(gap).exactOptional()
/** Gaps as cached, grouped and masked. A kind that the deployment lacks is absent. */
const gapFacts = z.object({
  assistant: gaps,
  searches: gaps,
  thumbs: gaps,
  /** Counts of questions; `isWhole`: the bot read all questions of the range. */
  questions: z.object({ read: count, unanswered: count, isWhole: z.boolean() }).exactOptional(),
})

type GapFacts = z.infer<typeof gapFacts>
export type GapReport = Awaited<ReturnType<typeof readGaps>>

const SHOWN = 5
/** Maximum page sizes that the service allows. */
const QUESTIONS = 1000
const ROWS = 100
/** Minimum searches for a gap; fewer may be one person's typing. */
const MIN_HITS = 3
/** Minimum thumbs down for a gap; a single one may be chance. */
const MIN_DOWN = 2
/** Share of searches that lead to a page, above which the search works well enough. */
const FEW_CLICKS = 0.1

/** What gaps are read from. */
export interface GapSource {
  docs: Pick<DocsApi, GapOperation>
  limit: LimitAnalytics
  cached: ReadingCache
  nameOf: (project: string) => string
}

/** Reads the gaps of a range, or takes them from the cache. @throws DocsError */
export async function readGaps(deps: GapSource, reader: Reader, project: string, range: Range) {
  const { docs, limit, cached, nameOf } = deps
  const { value } = await cached(gapFacts, { kind: "gaps", project, range }, () =>
    readFacts(docs, (request) => limit(reader, project, request), project, range),
  )
  return { project: nameOf(project), range, ...value }
}

/**
 * Reads each kind of gap that the service offers.
 * @throws DocsError if a read fails, or if no kind is offered and one is forbidden
 */
async function readFacts(
  docs: Pick<DocsApi, GapOperation>,
  limited: <T>(request: () => Promise<T>) => Promise<T>,
  project: string,
  range: Range,
): Promise<GapFacts> {
  const days = { ...serviceDates(range), limit: ROWS }
  const lacking: DocsError[] = []
  const orLacking = (reading: Promise<GapFacts>) =>
    reading.catch((error: unknown): GapFacts => {
      const refused = orDocsError(error)
      if (!ABSENT.has(refused.status ?? 0)) throw refused
      lacking.push(refused)
      return {}
    })
  const questionDays = { ...days, limit: QUESTIONS }
  const [questions, searches, pages] = await Promise.all([
    orLacking(limited(() => docs.assistant(project, questionDays)).then(questionFacts)),
    orLacking(limited(() => docs.searches(project, days)).then(searchFacts)),
    orLacking(limited(() => docs.thumbs(project, days)).then(pageFacts)),
  ])
  const forbidden = lacking.find(({ status }) => status === 403)
  if (lacking.length === gapOperations.length && forbidden) throw forbidden
  return { ...questions, ...searches, ...pages }
}

function questionFacts({ questions, isWhole }: Questions): GapFacts {
  const unanswered = questions.filter(({ isAnswered }) => !isAnswered)
  const gaps = byWords(unanswered).map((same) => {
    const paths = new Map(same.map(({ conversation, path }) => [conversation, path]))
    const path = mostFrequent([...paths.values()])
    const { text } = same[0]
    return { kind: "question" as const, text, asked: paths.size, ...defined({ path }) }
  })
  return {
    assistant: gaps.toSorted((a, b) => b.asked - a.asked).slice(0, SHOWN),
    questions: { read: questions.length, unanswered: unanswered.length, isWhole },
  }
}

/** Picks the searches after which hardly anybody opens a page, most unsuccessful searches first. */
function searchFacts(all: readonly Search[]): GapFacts {
  // Whether 25 or 0.25 means a quarter is undocumented; a rate above 1 shows percentages.
  const whole = all.some(({ clicks }) => clicks > 1) ? 100 : 1
  const lostOf = ({ hits, clicks, path }: Search) =>
    path === undefined ? hits : hits * (1 - Math.min(1, clicks / whole))
  const searches = byWords(all)
    .map((same) => {
      const hits = same.reduce((sum, search) => sum + search.hits, 0)
      const lost = same.reduce((sum, search) => sum + lostOf(search), 0)
      return { kind: "search" as const, text: same[0].text, hits, lost }
    })
    .filter(({ hits, lost }) => hits >= MIN_HITS && lost > hits * (1 - FEW_CLICKS))
    .toSorted((a, b) => b.lost - a.lost)
    .map((search) => ({ ...search, lost: Math.round(search.lost) }))
  return { searches: searches.slice(0, SHOWN) }
}

/** Picks the pages with at least as many thumbs down as up. */
function pageFacts(all: readonly PageThumbs[]): GapFacts {
  const pages = all
    .filter(({ up, down }) => down >= MIN_DOWN && down >= up)
    .toSorted((a, b) => b.down - a.down || a.up - b.up)
    .map((page) => ({ kind: "page" as const, ...page }))
  return { thumbs: pages.slice(0, SHOWN) }
}

/** Groups by the same words. Leaves out fully masked texts, which say nothing about the docs. */
function byWords<T extends { text: string }>(all: readonly T[]): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const words = sameWords(one.text)
    const group = groups.get(words)
    if (group) group.push(one)
    else if (words !== "") groups.set(words, [one])
  }
  return [...groups.values()]
}

function sameWords(text: string): string {
  const bare = text.normalize("NFKC").toLowerCase()
  const words = bare.replaceAll(/\[(?:email|number|secret)\]/g, " ").match(/[\p{L}\p{N}]+/gu)
  return words?.join(" ") ?? ""
}

function mostFrequent(words: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([, m], [, n]) => n - m)[0]?.[0]
}
