import { DocsError, orAbsent } from "../docs-service/docs-error.ts"
import type { PageThumbs, Questions, Search } from "../docs-service/reader-signals.ts"
import { defined } from "../lib/json.ts"
import { bareWords, bySubject } from "./alike-questions.ts"
import { type Gap, type GapFacts, gapFacts, gapKey } from "./gap-kinds.ts"
import { commentGaps, readComments } from "./read-comments.ts"
import type { AnalyticsRequest, Readings, VisitorsContext } from "./read-visitors.ts"
import type { Asked } from "./visitors-cache.ts"

export type GapReport = Awaited<ReturnType<typeof readGaps>>

/** Maximum page sizes that the service allows. */
const QUESTIONS = 1000
const ROWS = 100

/** Maximum gaps of a kind, other than comments. */
const SHOWN = 5
/** Minimum searches for a gap; fewer may be one person's typing. */
const MIN_HITS = 3
/** Minimum thumbs down for a gap; a single one may be chance. */
const MIN_DOWN = 2
/** Share of searches that lead to a page, above which the search works well enough. */
const FEW_CLICKS = 0.1
/** Maximum wordings of a gap by which the bot knows it again. */
const MAX_KEYS = 20

/**
 * Reads the gaps of a range, or takes them from the cache.
 * @throws DocsError if a read fails, or if no kind is offered and one is forbidden
 */
export async function readGaps({ context, readings }: VisitorsContext, asked: Asked) {
  const reading = await readComments(readings, "pending", asked).catch(orAbsent)
  const found = reading instanceof DocsError ? undefined : reading
  const comments = found && commentGaps(found.comments)
  const hasComments = comments !== undefined && comments.length > 0
  const part = hasComments ? "comments" : "thumbs"
  const { value } = await readings.cached(gapFacts, { kind: "gaps", ...asked, part }, () =>
    readFacts(readings, asked, hasComments),
  )
  const isNothing = Object.keys(value).length === 0
  if (isNothing && reading instanceof DocsError && reading.status === 403) throw reading
  return {
    project: context.settings.projects.nameOf(asked.project),
    range: asked.range,
    ...value,
    ...defined({ comments }),
    /** Number of entries of feedback that were read, if there are more. */
    ...(found && !found.isWhole ? { readOf: found.read } : {}),
  }
}

/** Reads each other kind of gap that the service offers. */
async function readFacts(
  readings: Readings,
  asked: Asked,
  hasComments: boolean,
): Promise<GapFacts> {
  const facts = async <T>(request: AnalyticsRequest<T>, choose: (answer: T) => GapFacts) => {
    const answer = await readings.ask(asked, request).catch(orAbsent)
    return answer instanceof DocsError ? {} : choose(answer)
  }
  const [questions, searches, pages] = await Promise.all([
    facts((docs, of, days) => docs.assistant(of, { ...days, limit: QUESTIONS }), chooseQuestions),
    facts((docs, of, days) => docs.searches(of, { ...days, limit: ROWS }), chooseSearches),
    hasComments
      ? {}
      : facts((docs, of, days) => docs.thumbs(of, { ...days, limit: ROWS }), choosePages),
  ])
  return { ...questions, ...searches, ...pages }
}

/** Picks the questions that the assistant could not answer, most frequent first. */
function chooseQuestions({ questions, isWhole }: Questions): GapFacts {
  const unanswered = questions.filter(({ isAnswered }) => !isAnswered)
  const gaps = bySubject(unanswered).map((same) => {
    const paths = new Map(same.map(({ conversation, path }) => [conversation, path]))
    const path = mostFrequent([...paths.values()])
    const text = mostFrequent(same.map((one) => one.text)) ?? same[0].text
    const keys = keysOf("question", same)
    return { kind: "question" as const, text, asked: paths.size, keys, ...defined({ path }) }
  })
  return {
    assistant: gaps.toSorted((a, b) => b.asked - a.asked).slice(0, SHOWN),
    questions: { read: questions.length, unanswered: unanswered.length, isWhole },
  }
}

/** Picks the searches after which hardly anybody opens a page, most unsuccessful searches first. */
function chooseSearches(all: readonly Search[]): GapFacts {
  // A rate above 1 shows percentages: the service's documents don't say if a quarter is 25 or 0.25.
  const whole = all.some(({ clicks }) => clicks > 1) ? 100 : 1
  const lostOf = ({ hits, clicks }: Search) => hits * (1 - Math.min(1, clicks / whole))
  const searches = bySubject(all)
    .map((same) => {
      const hits = same.reduce((sum, search) => sum + search.hits, 0)
      const lost = same.reduce((sum, search) => sum + lostOf(search), 0)
      const keys = keysOf("search", same)
      return { kind: "search" as const, text: same[0].text, hits, lost, keys }
    })
    .filter(({ hits, lost }) => hits >= MIN_HITS && lost > hits * (1 - FEW_CLICKS))
    .toSorted((a, b) => b.lost - a.lost)
    .map((search) => ({ ...search, lost: Math.round(search.lost) }))
  return { searches: searches.slice(0, SHOWN) }
}

/** Picks the pages with at least as many thumbs down as up. */
function choosePages(all: readonly PageThumbs[]): GapFacts {
  const pages = all
    .filter(({ up, down }) => down >= MIN_DOWN && down >= up)
    .toSorted((a, b) => b.down - a.down || a.up - b.up)
    .map((page) => ({ kind: "page" as const, ...page, keys: [gapKey("page", page.path)] }))
  return { thumbs: pages.slice(0, SHOWN) }
}

/** Returns the keys of a gap, one for each wording. */
function keysOf(kind: Gap["kind"], same: readonly { text: string }[]): string[] {
  const wordings = new Set(same.map(({ text }) => bareWords(text)))
  return [...wordings].slice(0, MAX_KEYS).map((words) => gapKey(kind, words))
}

function mostFrequent(words: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const word of words) if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].toSorted(([, m], [, n]) => n - m)[0]?.[0]
}
