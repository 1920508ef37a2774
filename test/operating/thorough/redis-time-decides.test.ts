import { afterEach, describe, expect, test } from "vitest"
import { currentTime } from "../../../src/store/script.ts"
import { turnOn } from "../../../src/visitors/subscriptions.ts"
import { botMessages, botSays } from "../../helpers/reading.ts"
import { skewDate } from "../../helpers/skewed-date.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { storeDigest } from "../../helpers/visitors.ts"
import { ADA, DOCS, EDITORS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const skew: { current?: Disposable } = {}
afterEach(() => skew.current?.[Symbol.dispose]())

const storeTime = ({ services }: Bed) => currentTime(services.work.store)
const digests = ({ slack }: Bed) =>
  botMessages(slack).filter(({ text }) => text.startsWith("Docs traffic "))
/** Returns the times in ms at which the digests are due. */
const due = async ({ services }: Bed) => {
  const found = await services.workerRedis.zrange(
    services.workVisitors.posts.schedule,
    "0",
    "-1",
    "WITHSCORES",
  )
  return found.filter((_, n) => n % 2 === 1).map(Number)
}
const daily = (at: number) => {
  const time = new Date(at)
  return { every: "daily", hour: time.getUTCHours(), minute: time.getUTCMinutes() } as const
}
const wish = (at: number) => ({ kind: "subscribe", rhythm: daily(at) }) as const
const subscriber = ({ services }: Bed) => ({
  user: ADA,
  project: services.front.settings.projects.keys[0] ?? "",
  zone: "UTC",
})

/** Checks that only Redis's clock, which all processes share, decides what is due. */
describe.each([
  ["behind", -90_000],
  ["ahead", 90_000],
])("on a machine whose clock is 90 s %s", (_, ms) => {
  const start = async (env: Record<string, string> = {}) => {
    skew.current = skewDate(ms)
    return testBed({ env })
  }

  test("a digest that is due comes once, and the next one a day later", async () => {
    const h = await start()
    const at = Math.floor((await storeTime(h)) / MINUTE_MS) * MINUTE_MS
    await storeDigest(h, at, { ...subscriber(h), ...daily(at) })
    for (let n = 0; n < 5; n += 1) await h.bot.worker?.passes.posts?.()
    // The worker's own loop may have claimed the digest before the first of these passes.
    await expect.poll(() => due(h), { timeout: 20_000 }).toEqual([at + DAY_MS])
    expect(digests(h)).toHaveLength(1)
  })

  test("the first digest of a subscription comes at the next such time", async () => {
    const h = await start()
    const now = await storeTime(h)
    const past = Math.floor(now / MINUTE_MS) * MINUTE_MS
    const soon = Math.ceil((now + 30_000) / MINUTE_MS) * MINUTE_MS
    const { frontVisitors } = h.services
    await turnOn(frontVisitors, { ...subscriber(h), channel: DOCS }, wish(past))
    await turnOn(frontVisitors, { ...subscriber(h), channel: EDITORS }, wish(soon))
    expect(await due(h)).toEqual([soon, past + DAY_MS])
  })

  test("a job is not lost track of before its time", async () => {
    const h = await start({ JOB_TIMEOUT_MINUTES: "1" })
    h.docs.plan({ ending: "pull_request", afterMs: 400 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
    await botSays(h, /Pull request ready/)
  })
})
