import { expect, test } from "vitest"
import { z } from "zod"
import { call, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"
import { CANARIES } from "../sandbox/docs-service/analytics/canaries.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

/** Week that has ended by the test helper's clock. */
const WEEK = { dateFrom: "2026-11-13", dateTo: "2026-11-20" }
const OPERATIONS = ["searches", "feedback/by-page", "assistant"] as const

function read(service: DocsService, name: string, query: Record<string, string | number> = WEEK) {
  const text = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return call(service, "GET", `/v1/analytics/${PROJECT}/${name}?${text.toString()}`)
}

test("search terms are ordered by hit count descending; totalSearches is the sum of all hits", async () => {
  const { service } = await docsServiceForTest()
  const row = z.object({
    searchQuery: z.string(),
    hits: z.number().min(1),
    ctr: z.number().min(0).max(1),
    topClickedPage: z.string().nullable(),
    lastSearchedAt: z.iso.datetime(),
  })
  const whole = await read(service, "searches", { ...WEEK, limit: 100 })
  const rows = z.object({ searches: z.array(row) }).parse(whole.body).searches
  expect(whole.body).toMatchObject({
    totalSearches: rows.reduce((sum, { hits }) => sum + hits, 0),
    nextCursor: null,
  })
  const first = await read(service, "searches")
  expect(first.body).toMatchObject({
    searches: rows.slice(0, 50),
    nextCursor: expect.any(String),
  })
  expect(rows.map(({ hits }) => hits)).toEqual(rows.map(({ hits }) => hits).sort((a, b) => b - a))
  expect(rows).toContainEqual(
    expect.objectContaining({ searchQuery: "scim", ctr: 0, topClickedPage: null }),
  )
})

test("feedback by page counts thumbs and code apart, and shows no way to a next page", async () => {
  const { service } = await docsServiceForTest()
  const { body } = await read(service, "feedback/by-page", { ...WEEK, limit: 100 })
  const row = z.object({
    path: z.string(),
    thumbsUp: z.number(),
    thumbsDown: z.number(),
    code: z.number(),
    total: z.number(),
  })
  const pages = z.object({ feedback: z.array(row), hasMore: z.literal(false) }).parse(body).feedback
  expect(pages.reduce((sum, { total }) => sum + total, 0)).toBe(7 * 12)
  for (const { thumbsUp, thumbsDown, code, total } of pages)
    expect(thumbsUp + thumbsDown + code).toBeLessThanOrEqual(total)
  const few = await read(service, "feedback/by-page", { ...WEEK, limit: 2 })
  expect(few.body).toEqual({ feedback: pages.slice(0, 2), hasMore: true })
})

test("feedback has words, ids and times, by source and status, and names who wrote it", async () => {
  const { service } = await docsServiceForTest()
  const entry = z.looseObject({
    id: z.string(),
    path: z.string(),
    comment: z.string().nullable(),
    createdAt: z.iso.datetime().nullable(),
    source: z.string(),
    status: z.string(),
  })
  const all = async (more: Record<string, string>) => {
    const { body } = await read(service, "feedback", { ...WEEK, limit: 100, ...more })
    return z.object({ feedback: z.array(entry), nextCursor: z.null() }).parse(body).feedback
  }
  expect(await all({})).toHaveLength(7 * 12)
  const agents = await all({ source: "agent", status: "pending" })
  expect(agents.length).toBeGreaterThan(0)
  for (const one of agents) expect(one).toMatchObject({ source: "agent", status: "pending" })
  expect((await all({ source: "code_snippet" }))[0]).toHaveProperty("filename")
  expect((await all({ source: "contextual" }))[0]).toHaveProperty("contact")
})

test("feedback is read on by its cursor, each entry once, and refuses one that it did not give", async () => {
  const { service } = await docsServiceForTest()
  const page = async (more: Record<string, string>) =>
    z
      .object({
        feedback: z.array(z.looseObject({ id: z.string() })),
        nextCursor: z.string().nullable(),
        hasMore: z.boolean(),
      })
      .parse((await read(service, "feedback", { ...WEEK, ...more })).body)
  const first = await page({})
  expect(first).toMatchObject({ nextCursor: expect.any(String), hasMore: true })
  const rest = await page({ cursor: first.nextCursor ?? "" })
  expect(rest).toMatchObject({ nextCursor: null, hasMore: false })
  const ids = [...first.feedback, ...rest.feedback].map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([7 * 12, 7 * 12])
  expect((await read(service, "feedback", { ...WEEK, cursor: "x" })).status).toBe(400)
})

test("a page of conversations has the newest, and says whether there are more", async () => {
  const { service } = await docsServiceForTest()
  const truth = service.conversations(PROJECT, WEEK.dateFrom, WEEK.dateTo).map(({ body }) => body)
  expect(truth).toHaveLength(7 * 40)
  const times = truth.map(({ timestamp }) => timestamp)
  expect(times).toEqual(times.toSorted().toReversed())
  expect((await read(service, "assistant", { ...WEEK, limit: 1_000 })).body).toEqual({
    conversations: truth,
    nextCursor: null,
    hasMore: false,
  })
  const few = await read(service, "assistant", { ...WEEK, limit: 40 })
  expect(few.body).toEqual({
    conversations: truth.slice(0, 40),
    nextCursor: truth[39]?.id,
    hasMore: true,
  })
})

test("the data hold personal matter, so that a reader can be shown to drop it", async () => {
  const { service } = await docsServiceForTest()
  const text = JSON.stringify([
    (await read(service, "searches", { ...WEEK, limit: 100 })).body,
    (await read(service, "assistant", { ...WEEK, limit: 1_000 })).body,
    ...(await Promise.all(
      ["2026-10-01", "2026-10-08", "2026-10-15", "2026-10-22", "2026-10-29", "2026-11-05"].map(
        async (dateTo) => (await read(service, "feedback", { dateTo, limit: 100 })).body,
      ),
    )),
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

test.each([
  ["searches", { limit: 101 }, "limit"],
  ["feedback/by-page", { limit: 101 }, "limit"],
  ["assistant", { limit: 1_001 }, "limit"],
  ["searches", { dateFrom: "yesterday" }, "dateFrom"],
])("%s with %j is refused with 400 and costs nothing", async (name, query, wrong) => {
  const { service } = await docsServiceForTest()
  const answer = await read(service, name, query)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: wrong }] } })
  expect(service.hour(PROJECT, "analytics").used).toBe(0)
})
