import { describe, expect, test } from "vitest"
import { visitorsKeys } from "../../../src/redis/visitors-keys.ts"
import { visitorActions } from "../../../src/views/visitors/action-ids.ts"
import { toldPrivately } from "../../helpers/reading.ts"
import { joined, restarted } from "../../helpers/restarted.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

const KEY = "svc_of_the_organization"
const OTHER_KEY = "svc_of_another"
const docs = {
  projects: [
    { id: "proj-guides", key: KEY },
    { id: "proj-api", key: KEY },
    { id: "proj-other", key: OTHER_KEY },
  ],
}
const GUIDES = { name: "guides", id: "proj-guides", key: KEY }
const API = { name: "api", id: "proj-api", key: KEY }
const OTHER = { name: "other", id: "proj-other", key: OTHER_KEY }
const USED_UP = /the hour's requests for visitor numbers are used up/
const REPORT = /^Docs visitors/

/** An environment with these projects. */
const listed = (...projects: object[]) => ({
  DOCS_PROJECT_ID: "",
  DOCS_API_KEY: "",
  DOCS_PROJECTS: JSON.stringify(projects),
  ANALYTICS_PER_HOUR: "3",
})
const testBed = useTestBed({ docs, env: listed(GUIDES, API, OTHER) })
type TestBed = Awaited<ReturnType<typeof testBed>>

const requests = ({ docs }: TestBed) => docs.requests.filter(({ kind }) => kind === "visitors")

/** @returns the private answer */
async function ask(h: TestBed, words: string, answer: RegExp) {
  const before = h.slack.ephemerals(ADA).length
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", words)
  await h.slack.until((s) => s.ephemerals(ADA).length > before)
  return toldPrivately(h, ADA, answer)
}

describe("the hour of analytics requests belongs to the service key", () => {
  test("projects with the same key share it, another key has its own", async () => {
    const h = await testBed()
    await ask(h, "project=guides yesterday", REPORT)
    await ask(h, "project=api yesterday", USED_UP)
    expect(requests(h).length).toBeLessThanOrEqual(3)
    const before = requests(h).length
    await ask(h, "project=other yesterday", REPORT)
    expect(requests(h).length).toBeGreaterThan(before)
  })

  test("it is kept whatever the project is called, and so are numbers that were read", async () => {
    const h = await testBed()
    await ask(h, "project=guides yesterday", REPORT)
    const spent = requests(h).length
    await using again = await restarted(h, { env: listed({ ...GUIDES, name: "handbook" }) })
    expect(again.services.config.docs.projects[0].name).toBe("handbook")
    await ask(h, "yesterday", REPORT)
    expect(requests(h)).toHaveLength(spent)
    await ask(h, "7d", USED_UP)
    expect(requests(h).length).toBeLessThanOrEqual(3)
  })

  test("a report's controls are about the same project when its name has changed", async () => {
    const h = await testBed({ env: { ANALYTICS_PER_HOUR: "100" } })
    const report = await ask(h, "project=guides 7d", REPORT)
    const renamed = { ...listed({ ...GUIDES, name: "handbook" }), ANALYTICS_PER_HOUR: "100" }
    await using _ = await restarted(h, { env: renamed })
    await h.slack.as(ADA).select(report, visitorActions.range, "Last 30 days")
    const month = await h.slack.until((s) =>
      s.ephemerals(ADA).find(({ ts, text }) => ts === report.ts && text !== report.text),
    )
    expect(month.text).toContain("People")
    expect(new Set(requests(h).map(({ projectId }) => projectId))).toEqual(new Set([GUIDES.id]))
  })

  test("what another service's project of the same name showed is not shown for this one", async () => {
    const h = await testBed()
    await ask(h, "project=other yesterday", REPORT)
    const spent = requests(h).length
    await using _ = await joined(h, { env: listed({ ...GUIDES, name: "other" }) })
    await ask(h, "yesterday", REPORT)
    expect(requests(h).length).toBeGreaterThan(spent)
  })

  test("requests that a version before counted by the project's name count in it", async () => {
    const h = await testBed()
    const now = await h.services.now()
    const earlier = ["one", "two", "three"].flatMap((place) => [now, place])
    await h.services.workerRedis.zadd(visitorsKeys.projectHour("guides"), ...earlier)
    await ask(h, "project=guides yesterday", USED_UP)
    expect(requests(h)).toEqual([])
    await ask(h, "project=api yesterday", USED_UP)
  })
})
