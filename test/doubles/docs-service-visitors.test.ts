import { beforeAll, expect, test } from "vitest"
import { call, docsServiceForTest, KEY, PROJECT, startOnManualClock } from "../helpers/docs-http.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

/** Week that has ended by the test helper's clock. */
const WEEK = { dateFrom: "2026-11-13", dateTo: "2026-11-20" }

function path(query: Record<string, string | number>, project = PROJECT): string {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `/v1/analytics/${project}/visitors?${text.join("&")}`
}

const read = (service: DocsService, query: Record<string, string | number>) =>
  call(service, "GET", path(query))

let shared: DocsService
beforeAll(async () => {
  const { service } = await startOnManualClock()
  shared = service
  return () => service.close()
})

test("an export answers totals, pages and whether there is more, 50 at a time", async () => {
  const { body, status } = await read(shared, WEEK)
  const whole = shared.truth(PROJECT, "2026-11-13", "2026-11-20")
  expect(status).toBe(200)
  expect(body).toEqual({
    totals: whole.totals,
    visitors: whole.visitors.slice(0, 50),
    hasMore: true,
  })
  expect(whole.visitors).toHaveLength(180)
})

test.each([1, 7, 50, 60, 179, 180, 250])(
  "pages of %i rows cover every page once",
  async (limit) => {
    const { service } = await docsServiceForTest({ analyticsPerWindow: 1_000 })
    const paths: string[] = []
    for (let page = 1, more = true; more; page++) {
      const { body } = await read(service, { ...WEEK, limit, offset: (page - 1) * limit })
      const { visitors, hasMore } = body as { visitors: { path: string }[]; hasMore: boolean }
      expect(visitors.length).toBeGreaterThan(0)
      paths.push(...visitors.map((row) => row.path))
      more = hasMore
    }
    const whole = service.truth(PROJECT, WEEK.dateFrom, WEEK.dateTo)
    expect(paths).toEqual(whole.visitors.map((row) => row.path))
    expect(new Set(paths).size).toBe(180)
  },
)

test("dateTo is exclusive, times count as their UTC day, an omitted date is open", async () => {
  const week = (await read(shared, WEEK)).body
  const written = { dateFrom: "2026-11-13T18:30:00Z", dateTo: "2026-11-20T08:59:00.5+09:00" }
  const shifted = (await read(shared, written)).body
  expect(shifted).toEqual({
    ...shared.truth(PROJECT, "2026-11-13", "2026-11-19"),
    visitors: expect.any(Array),
    hasMore: true,
  })
  expect(
    (await read(shared, { dateFrom: "2026-11-13T18:30:00", dateTo: "2026-11-20" })).body,
  ).toEqual(week)
  const all = (await read(shared, {})).body
  expect(all).toMatchObject({ totals: shared.truth(PROJECT, "2000-01-01", "2100-01-01").totals })
  expect((await read(shared, { dateFrom: "2026-11-20", dateTo: "2026-11-20" })).body).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: [],
    hasMore: false,
  })
})

test.each([
  ["dateFrom", "2026-02-30"],
  ["dateFrom", "20261101"],
  ["dateFrom", "yesterday"],
  ["dateTo", ""],
  ["dateTo", "2026-11-01 12:00"],
  ["limit", "0"],
  ["limit", "251"],
  ["limit", "1.5"],
  ["limit", "1e2"],
  ["limit", ""],
  ["limit", "NaN"],
  ["offset", "-1"],
  ["offset", "x"],
])("%s=%s is refused with 400, names the parameter and spends nothing", async (name, value) => {
  const { service } = await docsServiceForTest()
  const answer = await read(service, { [name]: value })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({
    error: "Invalid query parameters",
    details: [{ path: name, message: expect.any(String) }],
  })
  expect(service.hour(PROJECT, "analytics").used).toBe(0)
})

test("a range that runs backwards and a repeated parameter are refused", async () => {
  expect((await read(shared, { dateFrom: "2026-11-02", dateTo: "2026-11-01" })).status).toBe(400)
  expect((await call(shared, "GET", `${path({ limit: 1 })}&limit=2`)).status).toBe(400)
  expect((await call(shared, "GET", path({}), { headers: {} })).status).toBe(401)
})

test("a key opens only its own project's numbers", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service } = await docsServiceForTest({ projects })
  expect((await call(service, "GET", path({}, "prj_other"))).status).toBe(403)
})
