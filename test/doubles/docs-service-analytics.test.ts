import { expect, test } from "vitest"
import { z } from "zod"
import { call, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"
import { CANARIES } from "../sandbox/docs-service/analytics/canaries.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

/** A week that is over on the helper's clock. */
const WEEK = { dateFrom: "2026-11-13", dateTo: "2026-11-20" }
const OPERATIONS = [
  "views",
  "searches",
  "feedback",
  "feedback/by-page",
  "assistant",
  "assistant/caller-stats",
] as const

function read(service: DocsService, name: string, query: Record<string, string | number> = WEEK) {
  const text = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return call(service, "GET", `/v1/analytics/${PROJECT}/${name}?${text.toString()}`)
}

const cursorPage = z.object({ nextCursor: z.string().nullable() }).loose()

/** Every page of an operation with a cursor. */
async function readAll(service: DocsService, name: string, limit: number): Promise<unknown[]> {
  const rows: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await read(service, name, { ...WEEK, limit, ...(cursor ? { cursor } : {}) })
    const page = cursorPage.parse(body)
    rows.push(...z.array(z.unknown()).parse(page[name === "assistant" ? "conversations" : name]))
    cursor = page.nextCursor
  }
  return rows
}

test("views are counted per path and add up, unlike visitors", async () => {
  const { service } = await docsServiceForTest()
  const { body } = await read(service, "views", { ...WEEK, limit: 250 })
  const { totals, views, hasMore } = z
    .object({
      totals: z.object({ human: z.number(), ai: z.number(), total: z.number() }),
      views: z.array(z.object({ path: z.string(), total: z.number() }).loose()),
      hasMore: z.boolean(),
    })
    .parse(body)
  expect(views.reduce((sum, row) => sum + row.total, 0)).toBe(totals.total)
  expect(totals.human + totals.ai).toBe(totals.total)
  expect(hasMore).toBe(false)
  const visitors = service.truth(PROJECT, WEEK.dateFrom, WEEK.dateTo).visitors
  for (const row of visitors) {
    expect(views.find(({ path }) => path === row.path)?.total).toBeGreaterThanOrEqual(row.total)
  }
  const second = await read(service, "views", { ...WEEK, limit: 100, offset: 100 })
  expect(second.body).toMatchObject({ views: views.slice(100, 200), hasMore: false })
})

test("search terms are ordered by hit count descending; totalSearches is the sum of all hits", async () => {
  const { service } = await docsServiceForTest()
  const rows = z
    .array(
      z.object({
        searchQuery: z.string(),
        hits: z.number().min(1),
        ctr: z.number().min(0).max(1),
        topClickedPage: z.string().nullable(),
        lastSearchedAt: z.iso.datetime(),
      }),
    )
    .parse(await readAll(service, "searches", 7))
  const first = await read(service, "searches")
  expect(first.body).toMatchObject({
    searches: rows.slice(0, 50),
    totalSearches: rows.reduce((sum, { hits }) => sum + hits, 0),
  })
  expect(rows.map(({ hits }) => hits)).toEqual(rows.map(({ hits }) => hits).sort((a, b) => b - a))
  expect(rows).toContainEqual(
    expect.objectContaining({ searchQuery: "scim", ctr: 0, topClickedPage: null }),
  )
})

test("feedback has the fields of its source, and is paged by its cursor", async () => {
  const { service } = await docsServiceForTest()
  const base = {
    id: expect.any(String),
    path: expect.any(String),
    comment: expect.toBeOneOf([expect.any(String), null]),
    createdAt: expect.toBeOneOf([expect.any(String), null]),
    status: expect.stringMatching(/^(pending|in_progress|resolved|dismissed)$/),
  }
  const contact = expect.toBeOneOf([expect.any(String), null])
  const shapes: Record<string, object> = {
    contextual: { ...base, source: "contextual", helpful: expect.any(Boolean), contact },
    code_snippet: {
      ...base,
      source: "code_snippet",
      code: expect.any(String),
      filename: null,
      lang: "bash",
    },
    agent: { ...base, source: "agent" },
    thumbs_only: { ...base, source: "thumbs_only" },
  }
  const rows = z
    .array(z.object({ source: z.string() }).loose())
    .parse(await readAll(service, "feedback", 9))
  expect(rows).toHaveLength(7 * 12)
  expect(new Set(rows.map(({ source }) => source))).toEqual(new Set(Object.keys(shapes)))
  for (const row of rows) expect(row).toEqual(shapes[row.source])
})

test("feedback by page counts contextual thumbs and code apart, and shows no way to a next page", async () => {
  const { service } = await docsServiceForTest()
  const rows = await readAll(service, "feedback", 100)
  const { body } = await read(service, "feedback/by-page", { ...WEEK, limit: 100 })
  const pages = z
    .object({
      feedback: z.array(
        z.object({
          path: z.string(),
          thumbsUp: z.number(),
          thumbsDown: z.number(),
          code: z.number(),
          total: z.number(),
        }),
      ),
      hasMore: z.literal(false),
    })
    .parse(body).feedback
  expect(pages.reduce((sum, { total }) => sum + total, 0)).toBe(rows.length)
  const thumbs = rows.filter((row) => typeof row === "object" && row !== null && "helpful" in row)
  expect(pages.reduce((sum, page) => sum + page.thumbsUp + page.thumbsDown, 0)).toBe(thumbs.length)
  const few = await read(service, "feedback/by-page", { ...WEEK, limit: 2, offset: 2 })
  expect(few.body).toEqual({ feedback: pages.slice(0, 2), hasMore: true })
})

test("feedback is filtered by source and by a comma-separated list of statuses", async () => {
  const { service } = await docsServiceForTest()
  const { body } = await read(service, "feedback", {
    ...WEEK,
    source: "contextual",
    status: "pending,resolved",
    limit: 100,
  })
  const rows = z
    .object({ feedback: z.array(z.record(z.string(), z.unknown())) })
    .parse(body).feedback
  expect(new Set(rows.map((row) => row.source))).toEqual(new Set(["contextual"]))
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(["pending", "resolved"]))
  expect((await read(service, "feedback", { ...WEEK, source: "gossip" })).status).toBe(400)
})

test.each([1, 40, 99, 1_000])(
  "pages of %i conversations give each once, newest first",
  async (limit) => {
    const { service } = await docsServiceForTest({ analyticsPerWindow: 1_000 })
    const rows = await readAll(service, "assistant", limit)
    const truth = service.conversations(PROJECT, WEEK.dateFrom, WEEK.dateTo)
    expect(truth).toHaveLength(7 * 40)
    expect(rows).toEqual(truth.map(({ body }) => body))
    const ids = truth.map(({ body }) => body.id)
    expect(ids).toEqual(ids.toSorted().toReversed())
  },
)

test("the data hold personal matter, so that a reader can be shown to drop it", async () => {
  const { service } = await docsServiceForTest()
  const text = JSON.stringify([
    await readAll(service, "searches", 100),
    await readAll(service, "feedback", 100),
    await readAll(service, "assistant", 1_000),
  ])
  for (const canary of Object.values(CANARIES)) expect(text).toContain(canary)
})

test("100 requests per organization per hour: all analytics endpoints share this limit", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service, clock } = await docsServiceForTest({ projects })
  service.spendElsewhere("prj_twin", 99 - OPERATIONS.length, "analytics")
  for (const name of OPERATIONS) expect((await read(service, name)).status).toBe(200)
  expect((await read(service, "visitors")).status).toBe(200)
  for (const name of [...OPERATIONS, "visitors"]) {
    expect(await read(service, name)).toMatchObject({
      status: 429,
      headers: { "retry-after": "3600" },
    })
  }
  expect(service.hour("prj_other", "analytics").used).toBe(0)
  clock.now += 3_600_000
  expect((await read(service, "searches")).status).toBe(200)
})

test.each([404, 403, 501] as const)("each operation can be absent with %i", async (status) => {
  const names = ["views", "searches", "feedback", "feedback_by_page", "assistant", "caller_stats"]
  const absent = Object.fromEntries(names.map((name) => [name, status]))
  const { service } = await docsServiceForTest({ absent })
  for (const name of OPERATIONS) {
    const answer = await read(service, name)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
  }
  expect(service.hour(PROJECT, "analytics").used).toBe(0)
  service.configure({ absent: { views: status } })
  expect((await read(service, "searches")).status).toBe(200)
})

test.each([
  ["searches", { limit: 101 }, "limit"],
  ["searches", { cursor: "bm90IG91cnM" }, "cursor"],
  ["feedback", { limit: 101 }, "limit"],
  ["feedback", { cursor: "?" }, "cursor"],
  ["feedback/by-page", { limit: 101 }, "limit"],
  ["assistant", { limit: 1_001 }, "limit"],
  ["assistant", { cursor: "not-a-ulid" }, "cursor"],
  ["assistant", { cursor: "00000000000000000000000000" }, "cursor"],
  ["views", { limit: 251 }, "limit"],
  ["views", { dateFrom: "yesterday" }, "dateFrom"],
])("%s with %j is refused with 400 and costs nothing", async (name, query, wrong) => {
  const { service } = await docsServiceForTest()
  const answer = await read(service, name, query)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: wrong }] } })
  expect(service.hour(PROJECT, "analytics").used).toBe(0)
})
