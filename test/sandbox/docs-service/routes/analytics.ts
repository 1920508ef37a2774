import { failure, json, type Reply } from "../../kit/reply.ts"
import { conversationsOf } from "../analytics/conversations.ts"
import { type FeedbackEntry, feedbackByPage, feedbackOf } from "../analytics/feedback.ts"
import { type AnalyticsQuery, type Paging, readAnalyticsQuery } from "../analytics/paging.ts"
import { searchesOf } from "../analytics/searches.ts"
import type { Fault } from "../faults.ts"
import type { Project } from "../project.ts"
import type { State } from "../state.ts"
import { type PageRow, rememberedDays } from "../visitors/data-set.ts"
import { admit } from "../windows.ts"

/**
 * Answers an analytics request. "All analytics endpoints share this limit"; a rejected request is
 * free. Only feedback reads on by its cursor; those of two other operations have no client.
 */
function analytics(
  state: State,
  project: Project,
  parameters: URLSearchParams,
  paging: Paging,
  answer: (query: AnalyticsQuery, now: number) => object | undefined,
): Reply {
  const now = state.now()
  const read = readAnalyticsQuery(parameters, rememberedDays(now), paging)
  if ("refusal" in read) return read.refusal
  // A new project has no data, so its range is empty.
  const query = state.settings.visitors.empty ? { ...read.query, to: read.query.from } : read.query
  const refusal = admit(state, "analytics", project)
  if (refusal) return refusal
  const body = answer(query, now)
  return body ? json(200, body) : failure(400, "Invalid cursor")
}

/** Returns "Search terms ordered by hit count descending". */
export function searches(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 50 }
  return analytics(state, project, parameters, paging, (query, now) => {
    const rows = searchesOf(project.id, query, now)
    const asPercent = state.settings.analytics.ctr === "percent"
    return {
      searches: rows
        .slice(0, query.limit)
        .map((row) => (asPercent ? { ...row, ctr: row.ctr * 100 } : row)),
      totalSearches: rows.reduce((sum, { hits }) => sum + hits, 0),
      nextCursor: rows.length > query.limit ? "opaque" : null,
    }
  })
}

/** Returns `hasMore`, but accepts neither `cursor` nor `offset`, so there is no way to the rest. */
export function feedbackPages(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 10 }
  return analytics(state, project, parameters, paging, (query, now) => {
    const pages = feedbackByPage(filtered(state, project, parameters, query, now))
    return { feedback: pages.slice(0, query.limit), hasMore: pages.length > query.limit }
  })
}

/** Returns feedback, of one `source` and `status` if they are named, from an opaque cursor on. */
export function feedback(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 50 }
  return analytics(state, project, parameters, paging, (query, now) => {
    const rows = filtered(state, project, parameters, query, now)
    const cursor = parameters.get("cursor")
    const last = rows.findIndex(({ id }) => cursorOf(id) === cursor)
    if (cursor !== null && last < 0) return undefined
    const page = rows.slice(last + 1, last + 1 + query.limit)
    const hasMore = rows.length > last + 1 + query.limit
    const end = page.at(-1)
    return { feedback: page, nextCursor: hasMore && end ? cursorOf(end.id) : null, hasMore }
  })
}

function cursorOf(id: string): string {
  return Buffer.from(id).toString("base64url")
}

function filtered(
  { settings }: State,
  project: Project,
  parameters: URLSearchParams,
  query: AnalyticsQuery,
  now: number,
) {
  const [source, status] = [parameters.get("source"), parameters.get("status")]
  const isWanted = (entry: FeedbackEntry) =>
    (source ?? entry.source) === entry.source && (status ?? entry.status) === entry.status
  return feedbackOf(project.id, query, now, settings.analytics.feedback).filter(isWanted)
}

/** Returns conversations: "Each row represents one user turn in a conversation." */
export function assistant(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 1_000, usual: 100 }
  return analytics(state, project, parameters, paging, (query, now) => {
    const rows = conversationsOf(project.id, state.settings.analytics, query, now)
    const conversations = rows.slice(0, query.limit).map(({ body }) => body)
    const hasMore = rows.length > query.limit
    const nextCursor = hasMore ? (conversations.at(-1)?.id ?? null) : null
    return { conversations, nextCursor, hasMore }
  })
}

/** Returns visitors (section 4.2 of the API document). */
export function visitors(
  state: State,
  project: Project,
  parameters: URLSearchParams,
  fault: Fault | undefined,
): Reply {
  const paging: Paging = { max: 250, usual: 50 }
  return analytics(state, project, parameters, paging, (query, now) => {
    const whole = state.visitors.read(project.id, query, state.settings.visitors, now)
    return { totals: whole.totals, ...pageOf(whole.visitors, query, fault) }
  })
}

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
