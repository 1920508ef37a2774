import fc from "fast-check"
import { beforeAll, expect, onTestFinished, test } from "vitest"
import type { DocsService } from "../../src/sandbox/docs-service/service.ts"
import { call, KEY, PROJECT, startOnManualClock } from "../helpers/docs-http.ts"
import { holds } from "../helpers/property.ts"

const DAY = 86_400_000
const TODAY = Date.UTC(2026, 10, 20)
const REMEMBERED = 400

async function setUp(
  options: Parameters<typeof startOnManualClock>[0] = {},
  now = TODAY + DAY / 2,
) {
  const started = await startOnManualClock(options, now)
  onTestFinished(() => started.service.close())
  return started
}

/** A service for tests that only look. */
let shared: DocsService
beforeAll(async () => {
  const { service } = await startOnManualClock({}, TODAY + DAY / 2)
  shared = service
  return () => service.close()
})

function path(query: Record<string, string | number>, project = PROJECT): string {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return `/v1/analytics/${project}/visitors?${text.join("&")}`
}

const read = (service: DocsService, query: Record<string, string | number>) =>
  call(service, "GET", path(query))

/** The n-th remembered day as `YYYY-MM-DD`; 0 is the oldest, 400 is today. */
const day = (n: number) => new Date(TODAY - (REMEMBERED - n) * DAY).toISOString().slice(0, 10)
const truth = (from: number, to: number) => shared.truth(PROJECT, day(from), day(to))

/** Three days in order, of all that are remembered and one beyond. */
const threeDays = fc
  .uniqueArray(fc.integer({ min: 0, max: REMEMBERED + 1 }), { minLength: 3, maxLength: 3 })
  .map((days) => days.toSorted((a, b) => a - b) as [number, number, number])

const kinds = ["human", "ai", "total"] as const

test("an export answers totals, pages and whether there is more, 50 at a time", async () => {
  const { body, status } = await read(shared, { dateFrom: "2026-11-13", dateTo: "2026-11-20" })
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
    const { service } = await setUp({ settings: { visitorsPerWindow: 1_000 } })
    const range = { dateFrom: "2026-11-13", dateTo: "2026-11-20" }
    const paths: string[] = []
    for (let page = 1, more = true; more; page++) {
      const { body } = await read(service, { ...range, limit, offset: (page - 1) * limit })
      const { visitors, hasMore } = body as { visitors: { path: string }[]; hasMore: boolean }
      expect(visitors.length).toBeGreaterThan(0)
      paths.push(...visitors.map((row) => row.path))
      more = hasMore
    }
    const whole = service.truth(PROJECT, range.dateFrom, range.dateTo)
    expect(paths).toEqual(whole.visitors.map((row) => row.path))
    expect(new Set(paths).size).toBe(180)
  },
)

test("beyond the end there is nothing, and nothing more", async () => {
  const { body } = await read(shared, { offset: 100_000 })
  expect(body).toMatchObject({ visitors: [], hasMore: false })
})

test("dateTo is exclusive, times count as their UTC day, an omitted date is open", async () => {
  const week = (await read(shared, { dateFrom: "2026-11-13", dateTo: "2026-11-20" })).body
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
  expect(all).toMatchObject({ totals: truth(0, REMEMBERED + 1).totals })
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
  const { service } = await setUp()
  const answer = await read(service, { [name]: value })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({
    error: "Invalid query parameters",
    details: [{ path: name, message: expect.any(String) }],
  })
  expect(service.hour(PROJECT, "visitors").used).toBe(0)
})

test("a range that runs backwards and a repeated parameter are refused", async () => {
  expect((await read(shared, { dateFrom: "2026-11-02", dateTo: "2026-11-01" })).status).toBe(400)
  expect((await call(shared, "GET", `${path({ limit: 1 })}&limit=2`)).status).toBe(400)
  expect((await call(shared, "GET", path({}), { headers: {} })).status).toBe(401)
})

test("exports have an hour of their own, shared with everything that reads analytics", async () => {
  const { service, clock } = await setUp()
  service.spendElsewhere(PROJECT, 99, "visitors")
  expect((await read(service, { limit: 1 })).status).toBe(200)
  const refused = await read(service, { limit: 1 })
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "3600" } })
  expect(service.hour(PROJECT).used).toBe(0)
  clock.now += 3_600_000
  expect((await read(service, { limit: 1 })).status).toBe(200)
})

test("a longer range never has fewer visitors, on the site and on each page", async () => {
  await holds(
    fc.property(threeDays, ([from, middle, to]) => {
      const whole = truth(from, to)
      const rows = new Map(whole.visitors.map((row) => [row.path, row]))
      for (const part of [truth(from, middle), truth(middle, to)]) {
        for (const kind of kinds) {
          expect(part.totals[kind]).toBeLessThanOrEqual(whole.totals[kind])
          for (const row of part.visitors) {
            expect(row[kind]).toBeLessThanOrEqual(rows.get(row.path)?.[kind] ?? -1)
          }
        }
      }
    }),
  )
})

test("a visitor of two ranges counts once: together never more than the sum", async () => {
  await holds(
    fc.property(threeDays, ([from, middle, to]) => {
      const [left, right, whole] = [truth(from, middle), truth(middle, to), truth(from, to)]
      const before = new Map(left.visitors.map((row) => [row.path, row]))
      const after = new Map(right.visitors.map((row) => [row.path, row]))
      for (const kind of kinds) {
        expect(whole.totals[kind]).toBeLessThanOrEqual(left.totals[kind] + right.totals[kind])
        for (const row of whole.visitors) {
          const sum = (before.get(row.path)?.[kind] ?? 0) + (after.get(row.path)?.[kind] ?? 0)
          expect(row[kind]).toBeLessThanOrEqual(sum)
        }
      }
    }),
  )
})

test("the uniques of a week are fewer than the sum of its days'", () => {
  const week = truth(390, 397).totals
  const days = [0, 1, 2, 3, 4, 5, 6].map((n) => truth(390 + n, 391 + n).totals)
  for (const kind of kinds) {
    const sum = days.reduce((total, counts) => total + counts[kind], 0)
    expect(week[kind]).toBeLessThan(sum)
    expect(week[kind]).toBeGreaterThan(sum / 2)
  }
})

test("totals are deduplicated, and pages do not add up to the site", async () => {
  await holds(
    fc.property(threeDays, ([from, , to]) => {
      fc.pre(to <= REMEMBERED)
      const { totals, visitors } = truth(from, to)
      expect(totals.total).toBeLessThan(totals.human + totals.ai)
      for (const row of [totals, ...visitors]) {
        expect(row.total).toBeLessThanOrEqual(row.human + row.ai)
        expect(row.total).toBeGreaterThanOrEqual(Math.max(row.human, row.ai))
      }
      for (const kind of kinds) {
        const pages = visitors.map((row) => row[kind])
        expect(Math.max(...pages)).toBeLessThanOrEqual(totals[kind])
        expect(pages.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(totals[kind])
      }
    }),
  )
})

test("the same project has the same numbers everywhere, another project has others", async () => {
  const twin = await setUp({ projects: [{ id: PROJECT, key: "x" }] })
  const whole = truth(300, 330)
  expect(twin.service.truth(PROJECT, day(300), day(330))).toEqual(whole)
  expect(twin.service.truth("prj_other", day(300), day(330)).totals).not.toEqual(whole.totals)
})

test("closed days stay as they are while the clock goes on; today grows", async () => {
  const { service, clock } = await setUp({}, TODAY)
  const yesterday = service.truth(PROJECT, day(399), day(400))
  let seen = 0
  for (let hour = 0; hour < 24; hour++) {
    clock.now = TODAY + hour * 3_600_000
    expect(service.truth(PROJECT, day(399), day(400))).toEqual(yesterday)
    const { total } = service.truth(PROJECT, day(400), day(401)).totals
    expect(total).toBeGreaterThanOrEqual(seen)
    seen = total
  }
  clock.now = TODAY + DAY
  expect(service.truth(PROJECT, day(400), day(401)).totals.total).toBeGreaterThanOrEqual(seen)
  expect(service.truth(PROJECT, day(401), day(402))).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: [],
  })
})

test("data can lag: the last minutes of a day come in after midnight", async () => {
  const { service, clock } = await setUp({ settings: { visitors: { lagMs: 300_000 } } }, TODAY)
  const atMidnight = service.truth(PROJECT, day(399), day(400)).totals.total
  clock.now += 300_000
  expect(service.truth(PROJECT, day(399), day(400)).totals.total).toBeGreaterThan(atMidnight)
})

test("400 whole days and today are remembered, nothing before and nothing after", () => {
  const year = truth(0, REMEMBERED + 1)
  expect(shared.truth(PROJECT, "2020-01-01", "2030-01-01")).toEqual(year)
  expect(shared.truth(PROJECT, "2020-01-01", day(0)).visitors).toEqual([])
  expect(truth(0, 1).totals.total).toBeGreaterThan(0)
})

test("the rhythm is plausible: quiet weekends, growth, a growing share of AI, pages that come later", () => {
  const friday = truth(399, 400).totals
  const sunday = truth(394, 395).totals
  expect(sunday.human).toBeLessThan(friday.human * 0.7)
  const [first, last] = [truth(0, 28), truth(372, 400)]
  expect(last.totals.human).toBeGreaterThan(first.totals.human)
  expect(last.totals.ai / last.totals.human).toBeGreaterThan(
    1.5 * (first.totals.ai / first.totals.human),
  )
  expect(first.visitors.length).toBeLessThan(last.visitors.length)
})

test("rows come in a stable order that is not a ranking", () => {
  const rows = truth(393, 400).visitors
  const totals = rows.map((row) => row.total)
  expect(totals).not.toEqual(totals.toSorted((a, b) => b - a))
  expect(totals).not.toEqual(totals.toSorted((a, b) => a - b))
  const later = truth(300, 400).visitors.map((row) => row.path)
  expect(rows.map((row) => row.path)).toEqual(later)
})

test("some paths would break careless tables, files and messages", () => {
  const paths = truth(393, 400).visitors.map((row) => row.path)
  expect(paths).toEqual(
    expect.arrayContaining([
      "/search/<script>alert(1)</script>",
      '=HYPERLINK("http://x")',
      "<!channel>",
      "/ja/はじめに/認証",
      expect.stringMatching(/^.{300}$/),
      expect.stringContaining("&"),
    ]),
  )
})

test("a new project has no visitors; the number of pages is a setting", async () => {
  const { service } = await setUp({ settings: { visitors: { empty: true } } })
  expect((await read(service, {})).body).toEqual({
    totals: { human: 0, ai: 0, total: 0 },
    visitors: [],
    hasMore: false,
  })
  service.configure({ visitors: { empty: false, pages: 3 } })
  expect(
    service
      .truth(PROJECT, day(390), day(400))
      .visitors.map((row) => row.path)
      .toSorted(),
  ).toEqual(["/", "/api-reference/authentication", "/quickstart"])
})

test("a huge project pages to its end without a row twice or missing", async () => {
  const { service } = await setUp({
    settings: { visitorsPerWindow: 1_000, visitors: { pages: 100_000 } },
  })
  const whole = service.truth(PROJECT, day(399), day(400)).visitors
  const paths = new Set<string>()
  for (let offset = 0, more = true; more; offset += 250) {
    const { body } = await read(service, {
      dateFrom: day(399),
      dateTo: day(400),
      limit: 250,
      offset,
    })
    const page = body as { visitors: { path: string; total: number }[]; hasMore: boolean }
    for (const row of page.visitors) {
      expect(row.total).toBeGreaterThan(0)
      paths.add(row.path)
    }
    more = page.hasMore
  }
  expect(whole.length).toBeGreaterThan(1_000)
  expect(paths.size).toBe(whole.length)
})

test("an export can misbehave: endless, repeating, empty, or without a field", async () => {
  const { service } = await setUp({ settings: { visitors: { pages: 3 } } })
  const honest = (await read(service, {})).body as { visitors: unknown[] }
  service.fail({ type: "endless_export", times: 1 })
  expect((await read(service, { offset: 301, limit: 2 })).body).toMatchObject({
    visitors: honest.visitors.slice(1, 3),
    hasMore: true,
  })
  service.fail({ type: "repeated_page", times: 1 })
  expect((await read(service, { offset: 2, limit: 2 })).body).toMatchObject({
    visitors: honest.visitors.slice(0, 2),
    hasMore: false,
  })
  service.fail({ type: "empty_page", times: 1 })
  expect((await read(service, {})).body).toMatchObject({ visitors: [], hasMore: true })
  service.fail({ type: "missing_field", path: "visitors.1.ai", times: 1 })
  const broken = (await read(service, {})).body
  expect(broken).not.toHaveProperty("visitors.1.ai")
  expect(broken).toHaveProperty("visitors.0.ai")
  service.fail({ type: "empty_page" })
  expect((await call(service, "GET", `/v2/agent/${PROJECT}/job/x`)).status).toBe(404)
  expect(service.faults()).toMatchObject([{ hits: 0 }])
})

test("a key opens only its own project's numbers", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service } = await setUp({ projects })
  expect((await call(service, "GET", path({}, "prj_other"))).status).toBe(403)
})
