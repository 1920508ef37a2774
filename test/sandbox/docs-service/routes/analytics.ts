import { failure, json } from "../../kit/reply.ts"
import { admit } from "../admission.ts"
import { conversationsOf } from "../analytics/conversations.ts"
import { type FeedbackEntry, feedbackByPage, feedbackOf } from "../analytics/feedback.ts"
import { type AnalyticsQuery, type Paging, readAnalyticsQuery } from "../analytics/paging.ts"
import { searchesOf } from "../analytics/searches.ts"
import type { Fault } from "../faults.ts"
import type { Handler, IncomingRequest } from "../operations.ts"
import type { Settings } from "../settings.ts"
import type { State } from "../state.ts"
import { type PageRow, rememberedDays } from "../visitors/data-set.ts"

interface Question extends Pick<IncomingRequest, "fault"> {
  readonly projectId: string
  readonly query: AnalyticsQuery
  readonly parameters: URLSearchParams
  readonly settings: Settings
  readonly visitors: State["visitors"]
  readonly now: number
}

/**
 * Returns the handler of an analytics operation. "All analytics endpoints share this limit"; a
 * rejected request is free. Only feedback reads on by its cursor; those of two other operations have
 * no client.
 */
function analytics(paging: Paging, answer: (question: Question) => object | undefined): Handler {
  return (state, project, { target, fault }) => {
    const now = state.now()
    const { settings, visitors } = state
    const read = readAnalyticsQuery(target.query, rememberedDays(now), paging)
    if ("refusal" in read) return read.refusal
    const { from, to } = read.query
    // A new project has no data, so its range is empty.
    const query = { ...read.query, to: settings.visitors.empty ? from : to }
    const refusal = admit(state, "analytics", project)
    if (refusal) return refusal
    const { query: parameters } = target
    const question = { projectId: project.id, query, parameters, settings, visitors, fault, now }
    const body = answer(question)
    return body ? json(200, body) : failure(400, "Invalid cursor")
  }
}

/** Returns "Search terms ordered by hit count descending". */
export const searches = analytics(
  { max: 100, usual: 50 },
  ({ projectId, query, settings, now }) => {
    const rows = searchesOf(projectId, query, now)
    const asPercent = settings.analytics.ctr === "percent"
    return {
      searches: rows
        .slice(0, query.limit)
        .map((row) => (asPercent ? { ...row, ctr: row.ctr * 100 } : row)),
      totalSearches: rows.reduce((sum, { hits }) => sum + hits, 0),
      nextCursor: rows.length > query.limit ? "opaque" : null,
    }
  },
)

/** Returns `hasMore`, but accepts neither `cursor` nor `offset`, so there is no way to the rest. */
export const feedbackPages = analytics({ max: 100, usual: 10 }, (question) => {
  const pages = feedbackByPage(filtered(question))
  const { limit } = question.query
  return { feedback: pages.slice(0, limit), hasMore: pages.length > limit }
})

/** Returns feedback, of one `source` and `status` if they are named, from an opaque cursor on. */
export const feedback = analytics({ max: 100, usual: 50 }, (question) => {
  const { query, parameters } = question
  const rows = filtered(question)
  const cursor = parameters.get("cursor")
  const last = rows.findIndex(({ id }) => cursorOf(id) === cursor)
  if (cursor !== null && last < 0) return undefined
  const page = rows.slice(last + 1, last + 1 + query.limit)
  const hasMore = rows.length > last + 1 + query.limit
  const end = page.at(-1)
  return { feedback: page, nextCursor: hasMore && end ? cursorOf(end.id) : null, hasMore }
})

function cursorOf(id: string): string {
  return Buffer.from(id).toString("base64url")
}

function filtered({ projectId, query, parameters, settings, now }: Question): FeedbackEntry[] {
  const [source, status] = [parameters.get("source"), parameters.get("status")]
  const isWanted = (entry: FeedbackEntry) =>
    (source ?? entry.source) === entry.source && (status ?? entry.status) === entry.status
  return feedbackOf(projectId, query, now, settings.analytics.feedback).filter(isWanted)
}

/** Returns conversations: "Each row represents one user turn in a conversation." */
export const assistant = analytics(
  { max: 1_000, usual: 100 },
  ({ projectId, query, settings, now }) => {
    const rows = conversationsOf(projectId, settings.analytics, query, now)
    const conversations = rows.slice(0, query.limit).map(({ body }) => body)
    const hasMore = rows.length > query.limit
    const nextCursor = hasMore ? (conversations.at(-1)?.id ?? null) : null
    return { conversations, nextCursor, hasMore }
  },
)

/** Returns visitors (section 4.2 of the API document). */
export const visitors = analytics({ max: 250, usual: 50 }, (question) => {
  const { projectId, query, settings, fault, now } = question
  const whole = question.visitors.read(projectId, query, settings.visitors, now)
  return { totals: whole.totals, ...pageOf(whole.visitors, query, fault) }
})

function pageOf(
  rows: readonly PageRow[],
  { offset, limit }: AnalyticsQuery,
  fault: Fault | undefined,
) {
  switch (fault?.type) {
    case "endless_export": {
      const start = offset % Math.max(1, rows.length)
      return { visitors: rows.slice(start, start + limit), hasMore: true }
    }
    case "empty_page":
      return { visitors: [], hasMore: true }
    default:
      return {
        visitors: rows.slice(offset, offset + limit),
        hasMore: offset + limit < rows.length,
      }
  }
}
