import type { DocsApi } from "../docs-service/docs-client.ts"
import { ABSENT, DocsError, orDocsError } from "../docs-service/docs-error.ts"
import type { Context } from "../jobs/context.ts"
import { defined } from "../lib/defined.ts"
import type { LimitAnalytics, Reader } from "./analytics-limit.ts"
import { choosePages, chooseQuestions, chooseSearches } from "./choose-gaps.ts"
import { type GapFacts, gapFacts } from "./gap-kinds.ts"
import { type Range, serviceDates } from "./range.ts"
import { type CommentSource, commentGaps, readComments } from "./read-comments.ts"

export type GapReport = Awaited<ReturnType<typeof readGaps>>

/** Maximum page sizes that the service allows. */
const QUESTIONS = 1000
const ROWS = 100

interface GapSource extends CommentSource {
  context: Pick<Context, "docs" | "settings">
}

/**
 * Reads the gaps of a range, or takes them from the cache.
 * @throws DocsError if a read fails, or if no kind is offered and one is forbidden
 */
export async function readGaps(source: GapSource, reader: Reader, project: string, range: Range) {
  const { context, limit, cached } = source
  const reading = await readComments(source, "list", reader, { project, range }).catch(orAbsent)
  const lacking = reading instanceof DocsError ? reading : undefined
  const found = reading instanceof DocsError ? undefined : reading
  const comments = found && commentGaps(found.comments)
  const hasComments = comments !== undefined && comments.length > 0
  const part = hasComments ? "comments" : "thumbs"
  const { value } = await cached(gapFacts, { kind: "gaps", project, range, part }, () =>
    readFacts(context.docs.api, { limit, reader, project, range, hasComments }),
  )
  const isNothing = Object.keys(value).length === 0
  if (isNothing && lacking?.status === 403) throw lacking
  return {
    project: context.settings.projects.nameOf(project),
    range,
    ...value,
    ...defined({ comments }),
    /** Number of entries of feedback that were read, if there are more. */
    ...(found && !found.isWhole ? { readOf: found.read } : {}),
  }
}

/** Returns the error of an operation that the deployment lacks. @throws any other error */
function orAbsent(error: unknown): DocsError {
  const refused = orDocsError(error)
  if (!ABSENT.has(refused.status ?? 0)) throw refused
  return refused
}

/** Reads each other kind of gap that the service offers. */
async function readFacts(
  docs: DocsApi,
  of: {
    limit: LimitAnalytics
    reader: Reader
    project: string
    range: Range
    hasComments: boolean
  },
): Promise<GapFacts> {
  const { limit, reader, project, range, hasComments } = of
  const days = { ...serviceDates(range), limit: ROWS }
  const facts = async <T>(request: () => Promise<T>, read: (answer: T) => GapFacts) => {
    const answer = await limit(reader, project, request).catch(orAbsent)
    return answer instanceof DocsError ? {} : read(answer)
  }
  const questionDays = { ...days, limit: QUESTIONS }
  const [questions, searches, pages] = await Promise.all([
    facts(() => docs.assistant(project, questionDays), chooseQuestions),
    facts(() => docs.searches(project, days), chooseSearches),
    hasComments ? {} : facts(() => docs.thumbs(project, days), choosePages),
  ])
  return { ...questions, ...searches, ...pages }
}
