import { afterEach, describe, expect, test } from "vitest"
import { redisTime } from "../../../src/redis/clock.ts"
import { subscribedMessage, unsubscribedMessage } from "../../../src/views/visitors/digest.ts"
import { subscribe } from "../../../src/visitors/digests/subscribe.ts"
import { botMessages, botSays } from "../../helpers/reading.ts"
import { skewDate } from "../../helpers/skewed-date.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS, EDITORS, TEAM } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()
type TestBed = Awaited<ReturnType<typeof testBed>>

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const skew: { current?: Disposable } = {}
afterEach(() => skew.current?.[Symbol.dispose]())

const storeTime = ({ services }: TestBed) => redisTime(services.workerRedis)
const digests = ({ slack }: TestBed) =>
  botMessages(slack).filter(({ text }) => text.startsWith("Docs visitors,"))
const daily = (at: number) => {
  const time = new Date(at)
  return { every: "daily", hour: time.getUTCHours(), minute: time.getUTCMinutes() } as const
}
const SUBSCRIBER = { team: TEAM, user: ADA, project: "docs-site", zone: "UTC" }

/** Redis' clock is the one that all processes share: how far off a machine's own is decides nothing. */
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
    const dueAt = Math.floor((await storeTime(h)) / MINUTE_MS) * MINUTE_MS
    const { subscriptions } = h.services.visitors.deps
    await subscriptions.save({ ...SUBSCRIBER, channel: DOCS, rhythm: daily(dueAt), dueAt })
    for (let n = 0; n < 5; n += 1) await h.bot.worker?.passes.digests?.()
    // The worker's own loop may have claimed it before the first of these passes.
    const next = async () => (await subscriptions.ofChannel(TEAM, DOCS))[0]?.dueAt
    await expect.poll(next, { timeout: 20_000 }).toBe(dueAt + DAY_MS)
    expect(digests(h)).toHaveLength(1)
  })

  test("the first digest of a subscription comes at the next such time", async () => {
    const h = await start()
    const views = { subscribed: subscribedMessage, unsubscribed: unsubscribedMessage }
    const deps = { ...h.services.visitors.deps, views }
    const now = await storeTime(h)
    const past = Math.floor(now / MINUTE_MS) * MINUTE_MS
    const soon = Math.ceil((now + 30_000) / MINUTE_MS) * MINUTE_MS
    await subscribe(deps, { ...SUBSCRIBER, channel: DOCS }, daily(past))
    await subscribe(deps, { ...SUBSCRIBER, channel: EDITORS }, daily(soon))
    const due = async (channel: string) =>
      (await deps.subscriptions.ofChannel(TEAM, channel)).map(({ dueAt }) => dueAt)
    expect(await due(DOCS)).toEqual([past + DAY_MS])
    expect(await due(EDITORS)).toEqual([soon])
  })

  test("a job is not lost track of before its time", async () => {
    const h = await start({ JOB_TIMEOUT_MINUTES: "1" })
    h.docs.plan({ ending: "pull_request", afterMs: 400 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")
    await botSays(h, /Pull request ready/)
    expect(botMessages(h.slack).some(({ text }) => /Still not finished/.test(text))).toBe(false)
  })

  test("the doctor is told when Slack was last heard of by Redis' clock", async () => {
    const h = await start()
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
    const now = await storeTime(h)
    const { signed = 0 } = await h.services.lastSeen.last()
    expect(Math.abs(now - signed)).toBeLessThan(60_000)
  })
})
