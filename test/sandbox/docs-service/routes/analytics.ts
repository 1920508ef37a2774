import { z } from "zod"
import { json, type Reply } from "../../kit/reply.ts"
import { admit } from "../admit.ts"
import { Conversations } from "../analytics/conversations.ts"
import { FEEDBACK_SOURCES, feedbackByPage, feedbackOf } from "../analytics/feedback.ts"
import { pageAfter } from "../analytics/opaque-cursor.ts"
import {
  type AnalyticsQuery,
  type Paging,
  readAnalyticsQuery,
  refuse,
} from "../analytics/paging.ts"
import { searchesOf } from "../analytics/searches.ts"
import type { Project } from "../project.ts"
import type { State } from "../state.ts"

/** "All analytics endpoints share this limit": a refused request takes no place in the hour. */
type Answer = (query: AnalyticsQuery, now: number) => object | { refusal: Reply }

function analytics(
  state: State,
  project: Project,
  parameters: URLSearchParams,
  paging: Paging,
  answer: Answer,
): Reply {
  const { visitors } = state.settings
  const now = state.now()
  const read = readAnalyticsQuery(parameters, state.visitors.days(visitors, now), paging)
  if ("refusal" in read) return read.refusal
  // The past of a new project is empty: its range ends before it begins.
  const query = visitors.empty ? { ...read.query, to: read.query.from } : read.query
  const body = answer(query, now - visitors.lagMs)
  if ("refusal" in body) return body.refusal
  return admit(state, "analytics", project) ?? json(200, body)
}

/** "Content view events": unlike visitors, views add up. */
export function views(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 250, usual: 50, by: "offset" }
  return analytics(state, project, parameters, paging, (query) => {
    const { settings, visitors } = state
    const { totals, rows } = visitors.views(project.id, query, settings.visitors, state.now())
    const { offset, limit } = query
    const hasMore = offset + limit < rows.length
    return { totals, views: rows.slice(offset, offset + limit), hasMore }
  })
}

/** "Search terms ordered by hit count descending". */
export function searches(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 50, by: "cursor" }
  return analytics(state, project, parameters, paging, (query, now) => {
    const rows = searchesOf(project.id, query, now)
    const page = pageAfter(rows, query)
    if (!page) return refuse([{ path: "cursor", message: "is not a cursor of this service" }])
    const asPercent = state.settings.analytics.ctr === "percent"
    return {
      searches: page.rows.map((row) => (asPercent ? { ...row, ctr: row.ctr * 100 } : row)),
      totalSearches: rows.reduce((sum, { hits }) => sum + hits, 0),
      nextCursor: page.nextCursor,
    }
  })
}

const filters = z.object({
  source: z.enum(FEEDBACK_SOURCES).optional(),
  status: z.string().optional(),
})

/** The feedback of a range that passes "source" and "status", "a comma-separated list". */
function filtered(
  state: State,
  project: Project,
  parameters: URLSearchParams,
  query: AnalyticsQuery,
  now: number,
) {
  const parsed = filters.safeParse(Object.fromEntries(parameters))
  if (!parsed.success) return refuse([{ path: "source", message: "is not a source" }])
  const { source, status } = parsed.data
  const statuses = status?.split(",")
  const all = feedbackOf(project.id, state.settings.analytics.feedbackPerDay, query, now)
  const rows = all.filter(
    (one) =>
      (source === undefined || one.source === source) &&
      (statuses === undefined || statuses.includes(one.status)),
  )
  return { rows }
}

export function feedback(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 50, by: "cursor" }
  return analytics(state, project, parameters, paging, (query, now) => {
    const found = filtered(state, project, parameters, query, now)
    if ("refusal" in found) return found
    const page = pageAfter(found.rows, query)
    if (!page) return refuse([{ path: "cursor", message: "is not a cursor of this service" }])
    const { rows, nextCursor } = page
    return { feedback: rows, nextCursor, hasMore: nextCursor !== null }
  })
}

/** Says whether there is more, but shows no way to it: neither `cursor` nor `offset`. */
export function feedbackPages(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 100, usual: 10, by: "nothing" }
  return analytics(state, project, parameters, paging, (query, now) => {
    const found = filtered(state, project, parameters, query, now)
    if ("refusal" in found) return found
    const pages = feedbackByPage(found.rows)
    return { feedback: pages.slice(0, query.limit), hasMore: pages.length > query.limit }
  })
}

/** "Each row represents one user turn in a conversation." */
export function assistant(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 1_000, usual: 100, by: "ulid" }
  return analytics(state, project, parameters, paging, (query, now) => {
    const all = new Conversations(project.id, state.settings.analytics, now)
    const rows = all.page(query, query.cursor, query.limit + 1)
    if (!rows) return refuse([{ path: "cursor", message: "is not a cursor of this range" }])
    const conversations = rows.slice(0, query.limit).map(({ body }) => body)
    const hasMore = rows.length > query.limit
    const nextCursor = hasMore ? (conversations.at(-1)?.id ?? null) : null
    return { conversations, nextCursor, hasMore }
  })
}

/** "A breakdown of assistant query counts by caller type". */
export function callerStats(state: State, project: Project, parameters: URLSearchParams): Reply {
  const paging: Paging = { max: 1, usual: 1, by: "nothing" }
  return analytics(state, project, parameters, paging, (query, now) => {
    const total = new Conversations(project.id, state.settings.analytics, now).count(query)
    const api = Math.floor(total * 0.15)
    const other = Math.floor(total * 0.02)
    return { web: total - api - other, api, other, total }
  })
}
