import { expect, test } from "vitest"
import { z } from "zod"
import { call, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"
import { CANARIES } from "../sandbox/docs-service/analytics/canaries.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

/** Week that has ended by the test helper's clock. */
const WEEK = { dateFrom: "2026-11-13", dateTo: "2026-11-20" }
const OPERATIONS = ["searches", "feedback/by-page", "assistant", "visitors"] as const

function read(service: DocsService, name: string, query: Record<string, string | number> = WEEK) {
  const text = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  )
  return call(service, "GET", `/v1/analytics/${PROJECT}/${name}?${text.toString()}`)
}

test("an export answers totals, pages and whether there is more, 50 at a time", async () => {
  const { service } = await docsServiceForTest()
  const { body, status } = await read(service, "visitors")
  const whole = service.truth(PROJECT, WEEK.dateFrom, WEEK.dateTo)
  expect(status).toBe(200)
  expect(body).toEqual({
    totals: whole.totals,
    visitors: whole.visitors.slice(0, 50),
    hasMore: true,
  })
  expect(whole.visitors).toHaveLength(180)
})

test("dateTo is exclusive, times count as their UTC day, an omitted date is open", async () => {
  const { service } = await docsServiceForTest()
  const from = async (query: Record<string, string>) =>
    (await read(service, "visitors", query)).body
  const written = { dateFrom: "2026-11-13T18:30:00Z", dateTo: "2026-11-20T08:59:00.5+09:00" }
  expect(await from(written)).toEqual({
    ...service.truth(PROJECT, "2026-11-13", "2026-11-19"),
    visitors: expect.any(Array),
    hasMore: true,
  })
  expect(await from({ ...WEEK, dateFrom: "2026-11-13T18:30:00" })).toEqual(await from(WEEK))
  const { totals } = service.truth(PROJECT, "2000-01-01", "2100-01-01")
  expect(await from({})).toMatchObject({ totals })
  expect(await from({ dateFrom: "2026-11-20", dateTo: "2026-11-20" })).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: [],
    hasMore: false,
  })
})

/** The last day, a week, a quarter, and all that is remembered. */
const RANGES = [
  ["2026-11-19", "2026-11-20"],
  ["2026-11-13", "2026-11-20"],
  ["2026-08-20", "2026-11-20"],
  ["2025-10-16", "2026-11-20"],
] as const
const KINDS = ["human", "ai", "total"] as const

test.each(RANGES)(
  "from %s to %s totals are deduplicated, and pages do not add up to the site",
  async (from, to) => {
    const { service } = await docsServiceForTest()
    const { totals, visitors } = service.truth(PROJECT, from, to)
    expect(totals.total).toBeLessThan(totals.human + totals.ai)
    for (const row of [totals, ...visitors]) {
      expect(row.total).toBeLessThanOrEqual(row.human + row.ai)
      expect(row.total).toBeGreaterThanOrEqual(Math.max(row.human, row.ai))
    }
    for (const kind of KINDS) {
      const pages = visitors.map((row) => row[kind])
      expect(Math.max(...pages)).toBeLessThanOrEqual(totals[kind])
      expect(pages.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(totals[kind])
    }
  },
)

test("a week has fewer visitors than its days together, in rows whose order is no ranking", async () => {
  const { service } = await docsServiceForTest()
  const week = service.truth(PROJECT, WEEK.dateFrom, WEEK.dateTo)
  const days = [13, 14, 15, 16, 17, 18, 19].map(
    (day) => service.truth(PROJECT, `2026-11-${day}`, `2026-11-${day + 1}`).totals,
  )
  for (const kind of KINDS) {
    const sum = days.reduce((total, counts) => total + counts[kind], 0)
    expect(week.totals[kind]).toBeLessThan(sum)
    expect(week.totals[kind]).toBeGreaterThan(sum / 2)
  }
  const counts = week.visitors.map(({ total }) => total)
  expect(counts).not.toEqual(counts.toSorted((a, b) => b - a))
  expect(counts).not.toEqual(counts.toSorted((a, b) => a - b))
  const paths = ({ visitors }: typeof week) => visitors.map(({ path }) => path)
  expect(paths(week)).toEqual(paths(service.truth(PROJECT, "2026-08-12", WEEK.dateTo)))
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

test("feedback refuses a cursor that it did not give", async () => {
  const { service } = await docsServiceForTest()
  expect((await read(service, "feedback", { ...WEEK, cursor: "x" })).status).toBe(400)
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
  const twin = "/v1/analytics/prj_twin/searches"
  for (let n = OPERATIONS.length; n < 100; n++)
    expect((await call(service, "GET", twin)).status).toBe(200)
  for (const name of OPERATIONS) expect((await read(service, name)).status).toBe(200)
  for (const name of OPERATIONS) {
    expect(await read(service, name)).toMatchObject({
      status: 429,
      headers: { "retry-after": "3600" },
    })
  }
  const headers = { authorization: "Bearer svc_other" }
  const other = "/v1/analytics/prj_other/searches"
  expect((await call(service, "GET", other, { headers })).status).toBe(200)
  clock.now += 3_600_000
  expect((await read(service, "searches")).status).toBe(200)
})

test.each([
  ["searches", { limit: 101 }, "limit"],
  ["feedback/by-page", { limit: 101 }, "limit"],
  ["assistant", { limit: 1_001 }, "limit"],
  ["searches", { dateFrom: "yesterday" }, "dateFrom"],
  ["visitors", { dateFrom: "2026-02-30" }, "dateFrom"],
  ["visitors", { dateFrom: "20261101" }, "dateFrom"],
  ["visitors", { dateTo: "" }, "dateTo"],
  ["visitors", { dateTo: "2026-11-01 12:00" }, "dateTo"],
  ["visitors", { dateFrom: "2026-11-02", dateTo: "2026-11-01" }, "dateFrom"],
  ["visitors", { limit: 0 }, "limit"],
  ["visitors", { limit: 251 }, "limit"],
  ["visitors", { limit: "1.5" }, "limit"],
  ["visitors", { limit: "" }, "limit"],
  ["visitors", { offset: -1 }, "offset"],
])(
  "%s with %j is refused with 400, names the parameter and costs nothing",
  async (name, query, wrong) => {
    const { service } = await docsServiceForTest({ analyticsPerWindow: 1 })
    const answer = await read(service, name, { ...query })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: wrong }] } })
    expect((await read(service, name)).status).toBe(200)
  },
)
