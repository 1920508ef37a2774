import { describe, expect } from "vitest"
import { testIn } from "../../helpers/test-bed.ts"
import { digests, NOON, said, storeDigest, type, useVisitors } from "../../helpers/visitors.ts"
import { ADA, ADA_DM, DOCS, EDITORS } from "../../sandbox/slack/index.ts"

const { daily } = useVisitors()
const test = testIn(daily)

describe("a digest that meets trouble", () => {
  test.each(["is_archived", "not_in_channel", "channel_not_found"])(
    "in a channel that refuses it (%s) ends, and the subscriber hears of it",
    async (error) => {
      const h = await daily()
      h.slack.fail({ method: "chat.postMessage", kind: "error", error, times: 1 })
      await h.at("2026-11-21T20:00Z")
      const [told, ...more] = said(h, ADA_DM)
      expect(told?.text).toContain(`No more daily docs traffic digest in <#${DOCS}>`)
      expect(more).toEqual([])
      expect((await h.ask(ADA, "subscriptions")).text).toContain("has no docs traffic digests")
    },
  )

  test("is posted when it is back, though somebody wanted the same digest meanwhile", async (h) => {
    h.docs.fail({ type: "expired_key", kind: "visitors", times: 1 })
    await h.at("2026-11-20T13:00Z")
    expect((await h.ask(ADA, "subscribe daily at 14:00")).text).toContain("Already on")
    await h.at("2026-11-20T13:06Z")
    expect(digests(h)).toHaveLength(1)
  })

  test("is left out after hours without numbers, and the next one is posted", async (h) => {
    const fault = h.docs.fail({ type: "expired_key", kind: "visitors" })
    await h.at("2026-11-20T13:00Z")
    for (let n = 0; n < 50; n++) {
      h.clock.moveOn(5 * 60_000)
      await h.posts()
    }
    fault.clear()
    await h.at("2026-11-20T20:00Z")
    expect(digests(h)).toEqual([])
    await h.at("2026-11-21T20:00Z")
    expect(digests(h)).toHaveLength(1)
  })

  test("is tried every five minutes, and no more often, while Slack takes no posts", async (h) => {
    const busy = h.slack.fail({ method: "chat.postMessage", kind: "error", error: "ratelimited" })
    await h.at("2026-11-20T20:00Z")
    await h.at("2026-11-20T20:04Z")
    expect(busy.hits).toBe(1)
    await h.at("2026-11-20T20:06Z")
    expect(busy.hits).toBe(2)
  })

  test.each(["after", "before"] as const)(
    "is posted once where Slack's answer got lost %s it was posted",
    async (when) => {
      const h = await daily({}, EDITORS)
      h.slack.fail({ method: "chat.postMessage", kind: "reset", when, times: 1 })
      await h.at("2026-11-20T20:00Z")
      await h.at("2026-11-20T20:10Z")
      expect(digests(h, EDITORS)).toHaveLength(1)
    },
  )

  test.each([
    ["5xx", { kind: "status", status: 503 }],
    ["a limit", { kind: "rate_limited", retryAfter: 1 }],
  ] as const)("is looked for again where Slack answers the look with %s", async (_, mishap) => {
    const h = await daily()
    h.slack.fail({ method: "chat.postMessage", kind: "reset", when: "before", times: 1 })
    await h.at("2026-11-20T20:00Z")
    const look = h.slack.fail({ method: "conversations.history", ...mishap, times: 1 })
    await h.at("2026-11-20T20:10Z")
    expect(look.hits).toBe(1)
    expect(digests(h)).toEqual([])
    await h.at("2026-11-20T20:20Z")
    expect(digests(h)).toHaveLength(1)
  })

  test("is not posted when somebody unsubscribes while it is made", async (h) => {
    h.docs.fail({ type: "delay", ms: 300, kind: "visitors", times: 1 })
    const asked = new Promise<void>((resolve) => h.docs.subscribe(() => resolve()))
    h.clock.moveOn(Date.parse("2026-11-20T20:00Z") - NOON)
    const making = h.posts()
    await asked
    await type(h, "unsubscribe")
    await making
    expect(digests(h)).toEqual([])
  })

  test("are all listed, however many projects a channel gets them of", async () => {
    const projects = Array.from({ length: 30 }, (_, n) => `handbook-${n}`)
    const h = await daily()
    const weekly = { every: "weekly", hour: 9, minute: 0, zone: "America/Los_Angeles" } as const
    for (const project of projects)
      await storeDigest(h, h.clock.now() + 1000, { project, ...weekly })
    const { blocks } = await h.ask(ADA, "subscriptions")
    expect(JSON.stringify(blocks).match(/\*Weekly /g)).toHaveLength(projects.length)
  })

  test("a digest that cannot be read stops no other, and the log names it", async () => {
    const h = await daily({ goesOn: "the broken digest stays" })
    const { workerRedis } = h.services
    await workerRedis.hset("{da}:v:post:digest:T1:C1:daily", { v: "9" })
    await workerRedis.zadd("{da}:v:post:due", 1, "digest:T1:C1:daily")
    h.clock.moveOn(24 * 3_600_000)
    for (let n = 0; n < 3; n++) await h.bot.worker?.passes.posts?.()
    await h.slack.until(() => digests(h).length === 1)
    expect(h.lines.join("")).toContain("{da}:v:post:digest:T1:C1:daily")
  })
})
