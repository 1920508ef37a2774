import { describe, expect, test } from "vitest"
import { DocsError, type DocsFault, orDocsError } from "../../src/docs-service/docs-error.ts"
import { WINDOW_MS } from "../../src/lib/time.ts"
import { limitAnalytics } from "../../src/visitors/analytics-limit.ts"
import { useRedis } from "../helpers/redis.ts"
import { restarted } from "../helpers/restarted.ts"
import { PROJECT, useVisitors } from "../helpers/visitors.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

type Limit = ReturnType<typeof limitAnalytics>
const redis = useRedis()
const timeoutMs = 1_000

function openHour(perHour = 20) {
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const options = { perHour, timeoutMs, accountOf: () => "account" }
  const another = () => limitAnalytics({ redis: redis(), now: () => clock.now }, options)
  return { clock, hour: another(), another }
}

const ask = (hour: Limit, user: string | undefined, request = async () => {}) =>
  hour(user, PROJECT, request).then(() => undefined, orDocsError)
const fails = (fault: DocsFault, retryAfterMs?: number) => async () => {
  throw new DocsError({ operation: "visitors", fault, retryAfterMs })
}

async function askMost(hour: Limit, user: string | undefined, tries = 30): Promise<number> {
  let made = 0
  for (let n = 0; n < tries; n++) if (!(await ask(hour, user))) made += 1
  return made
}

describe("VIS-13: the hour of analytics requests", () => {
  test("never holds more than its ceiling, whoever asks through whichever process", async () => {
    const { hour, another, clock } = openHour()
    expect(await askMost(hour, undefined, 12)).toBe(12)
    expect(await askMost(another(), ADA)).toBe(6)
    expect(await askMost(another(), BEN)).toBe(2)
    // A request may reach the service as late as its timeout allows.
    clock.now += WINDOW_MS + timeoutMs - 1
    expect(await askMost(hour, undefined)).toBe(0)
    clock.now += 1
    expect(await askMost(hour, undefined)).toBe(18)
  })

  test("is one person's while nobody else asks, up to a tenth that is kept for people who asked little", async () => {
    const { hour, another, clock } = openHour(100)
    expect(await askMost(hour, ADA, 110)).toBe(90)
    expect(await askMost(another(), undefined)).toBe(0)
    expect(await askMost(another(), BEN)).toBe(10)
    clock.now += WINDOW_MS + timeoutMs + 1
    expect(await askMost(hour, ADA, 110)).toBe(90)
  })

  test("is no more than half one person's while others ask", async () => {
    const { hour, another } = openHour()
    expect(await askMost(another(), BEN, 1)).toBe(1)
    expect(await askMost(hour, ADA)).toBe(10)
    expect(await ask(hour, ADA)).toMatchObject({ fault: "own_share" })
    expect(await askMost(hour, CLEO)).toBe(7)
  })

  test("counts what may have reached the service, and not what certainly never left", async () => {
    const { hour } = openHour(2)
    await ask(hour, ADA, fails("unreachable"))
    await ask(hour, ADA, fails("bad_request"))
    expect(await askMost(hour, ADA)).toBe(1)
  })

  test("says of a refusal without a time when it asks again", async () => {
    const { hour } = openHour()
    for (const refused of [fails("rate_limited"), fails("bad_request")])
      expect(await ask(hour, ADA, refused)).toMatchObject({ retryAfterMs: 60_000 })
  })

  test("rests while the service refuses, for the longest that it said", async () => {
    const { hour, clock } = openHour()
    const refused = [60_000, 1_000].map((ms) => ask(hour, ADA, fails("rate_limited", ms)))
    await Promise.all(refused)
    expect(await ask(hour, ADA)).toMatchObject({ fault: "rate_limited", retryAfterMs: 60_000 })
    clock.now += 60_000
    expect(await askMost(hour, ADA, 1)).toBe(1)
  })
})

const KEY = "svc_of_the_organization"
const GUIDES = { name: "guides", id: "proj-guides", key: KEY }
const API = { name: "api", id: "proj-api", key: KEY }
const OTHER = { name: "other", id: "proj-other", key: "svc_of_another" }
const projects = [GUIDES, API, OTHER].map(({ id, key }) => ({ id, key }))
const listed = (...of: object[]) => ({
  DOCS_PROJECT_ID: "",
  DOCS_API_KEY: "",
  DOCS_PROJECTS: JSON.stringify(of),
  ANALYTICS_PER_HOUR: "2",
})

describe("in Slack", () => {
  const { bed } = useVisitors()

  test("projects with the same key share an hour, another key has its own", async () => {
    const h = await bed({ docs: { projects }, env: listed(GUIDES, API, OTHER) })
    await h.ask(ADA, "project=guides yesterday")
    const refused = await h.ask(ADA, "project=api yesterday")
    expect(refused.text).toContain("the hourly analytics limit has been reached. Try again around ")
    expect(h.analyticsRequests().length).toBeLessThanOrEqual(2)
    expect((await h.ask(ADA, "project=other yesterday")).text).toMatch(/^Docs visitors/)
  })

  test("the hour, and the numbers that were read, are kept whatever the project is called", async () => {
    const h = await bed({ docs: { projects }, env: listed(GUIDES) })
    await h.ask(ADA, "yesterday")
    const spent = h.analyticsRequests().length
    await using _ = await restarted(h, {
      clock: h.clock,
      env: listed({ ...GUIDES, name: "handbook" }),
    })
    await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "yesterday")
    await h.slack.until((s) => s.ephemerals(ADA).length === 2)
    expect(h.analyticsRequests()).toHaveLength(spent)
  })

  test("VIS-12: twelve people who type the same command cost what one does", async () => {
    const h = await bed()
    const people = [ADA, BEN, CLEO, ADA, BEN, CLEO, ADA, BEN, CLEO, ADA, BEN, CLEO]
    h.docs.fail({ type: "delay", ms: 150, kind: "visitors" })
    await Promise.all(people.map((user) => h.slack.as(user).slash(DOCS, "/docs-visitors", "7d")))
    await h.toldPrivately(CLEO, /^Docs visitors/)
    // Requests for the page, the previous period, and seven days.
    expect(h.analyticsRequests()).toHaveLength(9)
  })
})
