import { expect, test } from "vitest"
import { docsServiceForTest, PROJECT } from "../helpers/docs-http.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

const DAY = "2026-11-18"
const NEXT = "2026-11-19"

const dayOf = (service: DocsService) => service.truth(PROJECT, DAY, NEXT)

function rowOf(service: DocsService, path: string) {
  const found = dayOf(service).visitors.find((row) => row.path === path)
  if (!found) throw new Error(`${path} was not visited`)
  return found
}

test("a spike on a day shows in the site and on its pages, and nowhere else", async () => {
  const { service } = await docsServiceForTest()
  const [before, after] = [dayOf(service), service.truth(PROJECT, NEXT, "2026-11-20")]
  const page = rowOf(service, "/quickstart")
  service.configure({ visitors: { plants: [{ day: DAY, factor: 3, of: "human" }] } })
  const planted = dayOf(service)
  expect(planted.totals.human / before.totals.human).toBeCloseTo(3, 1)
  expect(planted.totals.ai).toBe(before.totals.ai)
  expect(rowOf(service, "/quickstart").human / page.human).toBeCloseTo(3, 1)
  expect(service.truth(PROJECT, NEXT, "2026-11-20")).toEqual(after)
})

test("an outage leaves nobody, on the site and on every page, and can be taken back", async () => {
  const { service } = await docsServiceForTest({ visitors: { pages: 3_000 } })
  const before = dayOf(service)
  service.configure({ visitors: { plants: [{ day: DAY, factor: 0 }] } })
  expect(dayOf(service)).toEqual({ totals: { human: 0, ai: 0, total: 0 }, visitors: [] })
  service.configure({ visitors: { plants: [] } })
  expect(dayOf(service)).toEqual(before)
})

test("an event on some pages moves these, and the site by their part of it", async () => {
  const { service } = await docsServiceForTest()
  const [before, guide, other] = [
    dayOf(service).totals,
    rowOf(service, "/guides/webhooks"),
    rowOf(service, "/quickstart"),
  ]
  service.configure({ visitors: { plants: [{ day: DAY, factor: 4, path: "/guides" }] } })
  expect(rowOf(service, "/guides/webhooks").human / guide.human).toBeCloseTo(4, 0)
  expect(rowOf(service, "/quickstart")).toEqual(other)
  const { totals, visitors } = dayOf(service)
  expect(totals.human).toBeGreaterThan(before.human)
  expect(totals.human).toBeLessThan(4 * before.human)
  for (const row of visitors) expect(row.human).toBeLessThanOrEqual(totals.human)
})

test("a day that does not exist is refused", async () => {
  const { service } = await docsServiceForTest()
  const plants = [{ day: "2026-02-30", factor: 2, of: "both" as const }]
  expect(() => service.configure({ visitors: { plants } })).toThrow("plants")
})
