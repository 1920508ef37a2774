import { DocsError, orDocsError } from "../../errors/docs-error.ts"
import type { AssistantQuestion, PageVisitors } from "../../ports/docs-api.ts"
import { type Range, serviceDates } from "../range.ts"
import type { Absences, GapRequests } from "./ports.ts"
import { groupQuestions } from "./questions.ts"
import { type GapFacts, type GapOperation, type GapPart, map, type Questions } from "./report.ts"
import { lostSearches } from "./searches.ts"
import { poorPages } from "./thumbs.ts"

/** Requests of one look, at most. */
export const MOST_REQUESTS = 8
/** The service's largest pages. */
const QUESTIONS = 1000
const ROWS = 100
const VISITORS = 250
/** A plan without the operation, one it has never had, and one that is not built yet. */
const LACKING = [403, 404, 501]

interface GapReading {
  requests: GapRequests
  absences: Absences
}

/**
 * Everything about the gaps of a range in as few requests as there are, one after the other only where
 * they depend on each other. The visitors are read first: they are what every deployment has, so
 * when they are refused it is the key or the project, and not a lack. Throws DocsError then.
 */
export async function readGaps(
  { requests, absences }: GapReading,
  project: string,
  range: Range,
  renew: () => Promise<void>,
): Promise<GapFacts> {
  const days = serviceDates(range)
  const first = await requests.visitors({ ...days, limit: VISITORS, offset: 0 })
  await renew()
  const lacks = await absences.of(project)
  const part = async <T>(operation: GapOperation, read: () => Promise<T>): Promise<GapPart<T>> => {
    if (lacks.has(operation)) return { kind: "absent" }
    const value = await read().catch(orDocsError)
    await renew()
    if (!(value instanceof DocsError)) return { kind: "known", value }
    if (!LACKING.includes(value.status ?? 0)) return { kind: "failed", fault: value.fault }
    await absences.remember(project, operation)
    return { kind: "absent" }
  }
  const [searches, thumbs] = await Promise.all([
    part("searches", () => requests.searches({ ...days, limit: ROWS })),
    part("thumbs", () => requests.thumbs({ ...days, limit: ROWS })),
  ])
  const questions = await part("assistant", () => readQuestions(requests, days, renew))
  const rows = thumbs.kind === "known" ? await moreVisitors(requests, days, first) : []
  return {
    questions,
    searches: map(searches, lostSearches),
    pages: map(thumbs, (all) => poorPages(all, rows)),
  }
}

type Days = ReturnType<typeof serviceDates>

async function readQuestions(
  requests: GapRequests,
  days: Days,
  renew: () => Promise<void>,
): Promise<Questions> {
  const all: AssistantQuestion[] = []
  let cursor: string | undefined
  let isWhole = false
  while (!isWhole && requests.left() > 0) {
    const query = { ...days, limit: QUESTIONS, ...(cursor === undefined ? {} : { cursor }) }
    const page = await requests.assistant(query).catch(orDocsError)
    await renew()
    if (page instanceof DocsError) {
      if (all.length === 0) throw page
      break
    }
    all.push(...page.questions)
    cursor = page.next
    isWhole = cursor === undefined || page.questions.length === 0
  }
  return {
    groups: groupQuestions(all),
    read: all.length,
    unanswered: all.filter(({ isAnswered }) => !isAnswered).length,
    isWhole,
  }
}

/** Readers are what a poor page is ranked by: as much of the export as requests are left for. */
async function moreVisitors(
  requests: GapRequests,
  days: Days,
  first: { visitors: PageVisitors[]; hasMore: boolean },
): Promise<PageVisitors[]> {
  const rows = [...first.visitors]
  let { hasMore } = first
  for (let page = 1; hasMore && requests.left() > 0; page++) {
    const next = await requests
      .visitors({ ...days, limit: VISITORS, offset: page * VISITORS })
      .catch(orDocsError)
    // A page without its readers is still a page with thumbs down.
    if (next instanceof DocsError || next.visitors.length === 0) break
    rows.push(...next.visitors)
    hasMore = next.hasMore
  }
  return rows
}
