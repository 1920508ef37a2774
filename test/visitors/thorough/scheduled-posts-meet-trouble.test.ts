import { describe, expect } from "vitest"
import { RATES } from "../../../src/slack/rate-limits.ts"
import { withProjects } from "../../helpers/listed-projects.ts"
import { FAST_TIMING, testIn } from "../../helpers/test-bed.ts"
import { NOON, PROJECT, useVisitors } from "../../helpers/visitors.ts"
import type { Fault } from "../../sandbox/docs-service/faults.ts"
import { ADA, ADA_DM, BEN, DOCS, EDITORS } from "../../sandbox/slack/index.ts"

const { test, bed, watching } = useVisitors()

describe("an unusual day", () => {
  test("is not made up of a usual month, nor of one day of which the channel heard", async () => {
    const h = await watching("on")
    for (let day = 21; day <= 30; day++) await h.at(`2026-11-${day}T12:01Z`)
    expect(h.alertTexts()).toEqual([])
  })

  test("of which a look is late past midnight, as no process lived, is left to the next noon: one message a day", async () => {
    const days = ["2026-11-24", "2026-11-25"].map((day) => ({ day, factor: 0.3 }))
    const h = await watching("on people", ...days)
    await h.at("2026-11-26T10:00Z")
    expect(h.alertTexts()).toEqual([])
    await h.at("2026-11-26T12:00Z")
    expect(h.alertTexts()).toEqual([expect.stringMatching(/^Docs traffic dropped on Wed, Nov 25/)])
  })

  describe("of one project", () => {
    /** Watches a project with an unusual day, and after others whose service answers so. */
    const withOthers = async (...refusals: Fault[]) => {
      const others = refusals.map((refusal, n) => ({ refusal, id: `other-${n}` }))
      const ids = [...others.map(({ id }) => id), PROJECT]
      const docs = { visitors: { plants: [{ day: "2026-11-24", factor: 0 }] } }
      const h = await bed(withProjects(Object.fromEntries(ids.map((id) => [id, id])), { docs }))
      for (const id of ids) await h.type(`project=${id} alert on people`)
      for (const { refusal, id } of others) h.docs.fail({ ...refusal, projectId: id })
      await h.at("2026-11-25T12:00Z")
      return h
    }
    const alert = expect.stringMatching(new RegExp(` people, .* · ${PROJECT}$`, "m"))

    test("is not held back by another whose key is refused", async () => {
      expect((await withOthers({ type: "expired_key" })).alertTexts()).toEqual([alert])
    })

    test("waits some hours, not for ever, for another that fails", async () => {
      const h = await withOthers({ type: "status", status: 404 }, { type: "expired_key" })
      expect(h.alertTexts()).toEqual([])
      for (let n = 0; n < 48; n++) {
        h.clock.moveOn(5 * 60_000)
        await h.posts()
      }
      expect(h.alertTexts()).toEqual([alert])
    })
  })
})

describe("alerts", () => {
  test("turned on one after another keep Slack's pace, and nobody hears of a limit", async () => {
    const timing = { ...FAST_TIMING, rates: RATES }
    const h = await bed({ slack: { rateLimits: "slack" }, timing })
    for (const path of ["/a", "/b", "/c", "/d", "/e", "/f", "/g"])
      await h.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert on people ${path}`)
    await h.slack.until(() => h.said().length + h.slack.ephemerals(ADA).length === 7)
    expect(h.slack.ephemerals(ADA)).toEqual([])
    expect(h.slack.calls.filter(({ error }) => error === "ratelimited")).toEqual([])
  })

  test("turned on by several people at the same moment are said once", async (h) => {
    await Promise.all(
      [ADA, BEN, ADA, BEN].map((user) =>
        h.slack.as(user).slash(DOCS, "/docs-visitors", "alert on people"),
      ),
    )
    const answered = () => [...h.slack.ephemerals(ADA), ...h.slack.ephemerals(BEN)].length
    await h.slack.until(() => h.said().length + answered() === 4)
    expect(h.said()).toHaveLength(1)
  })

  test("of two people stay apart where only one announcement fails", async () => {
    const h = await bed({ timing: { slackTimeoutMs: 1000 } })
    const matching = ({ text }: { text?: unknown }) =>
      String(text).includes("docs traffic alerts for people in")
    h.slack.fail({ method: "chat.postMessage", kind: "timeout", when: "before", matching })
    await Promise.all([
      h.ask(ADA, "alert on people"),
      h.slack.as(BEN).slash(DOCS, "/docs-visitors", "alert on ai"),
    ])
    const list = (await h.ask(ADA, "alert list")).text
    expect(list).toContain("AI visitors")
    expect(list).not.toContain("people")
  })
})

const { daily } = useVisitors()
const testDaily = testIn(daily)

describe("a digest that meets trouble", () => {
  test.each(["is_archived", "not_in_channel", "channel_not_found"])(
    "in a channel that refuses it (%s) ends, and the subscriber hears of it",
    async (error) => {
      const h = await daily()
      h.slack.fail({ method: "chat.postMessage", kind: "error", error, times: 1 })
      await h.at("2026-11-21T20:00Z")
      const [told, ...more] = h.said(ADA_DM)
      expect(told?.text).toContain(`No more daily docs traffic digest in <#${DOCS}>`)
      expect(more).toEqual([])
      expect((await h.ask(ADA, "subscriptions")).text).toContain("has no docs traffic digests")
    },
  )

  testDaily(
    "is posted when it is back, though somebody wanted the same digest meanwhile",
    async (h) => {
      h.docs.fail({ type: "expired_key", kind: "visitors", times: 1 })
      await h.at("2026-11-20T13:00Z")
      expect((await h.ask(ADA, "subscribe daily at 14:00")).text).toContain("Already on")
      await h.at("2026-11-20T13:06Z")
      expect(h.digests()).toHaveLength(1)
    },
  )

  testDaily("is left out after hours without numbers, and the next one is posted", async (h) => {
    const fault = h.docs.fail({ type: "expired_key", kind: "visitors" })
    await h.at("2026-11-20T13:00Z")
    for (let n = 0; n < 50; n++) {
      h.clock.moveOn(5 * 60_000)
      await h.posts()
    }
    fault.clear()
    await h.at("2026-11-20T20:00Z")
    expect(h.digests()).toEqual([])
    await h.at("2026-11-21T20:00Z")
    expect(h.digests()).toHaveLength(1)
  })

  testDaily(
    "is tried every five minutes, and no more often, while Slack takes no posts",
    async (h) => {
      const busy = h.slack.fail({ method: "chat.postMessage", kind: "error", error: "ratelimited" })
      await h.at("2026-11-20T20:00Z")
      await h.at("2026-11-20T20:04Z")
      expect(busy.hits).toBe(1)
      await h.at("2026-11-20T20:06Z")
      expect(busy.hits).toBe(2)
    },
  )

  test("is posted once where Slack's answer got lost after it was posted", async () => {
    const h = await daily({}, EDITORS)
    h.slack.fail({ method: "chat.postMessage", kind: "reset", when: "after", times: 1 })
    await h.at("2026-11-20T20:00Z")
    await h.at("2026-11-20T20:10Z")
    expect(h.digests(EDITORS)).toHaveLength(1)
  })

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
    expect(h.digests()).toEqual([])
    await h.at("2026-11-20T20:20Z")
    expect(h.digests()).toHaveLength(1)
  })

  testDaily("is not posted when somebody unsubscribes while it is made", async (h) => {
    h.docs.fail({ type: "delay", ms: 300, kind: "visitors", times: 1 })
    const asked = new Promise<void>((resolve) => h.docs.subscribe(() => resolve()))
    h.clock.moveOn(Date.parse("2026-11-20T20:00Z") - NOON)
    const making = h.posts()
    await asked
    await h.type("unsubscribe")
    await making
    expect(h.digests()).toEqual([])
  })

  test("a digest that cannot be read stops no other, and the log names it", async () => {
    const h = await daily({ goesOn: "the broken digest stays" })
    const { workerRedis } = h.services
    await workerRedis.hset("{da}:v:post:digest:T1:C1:daily", { v: "9" })
    await workerRedis.zadd("{da}:v:post:due", 1, "digest:T1:C1:daily")
    h.clock.moveOn(24 * 3_600_000)
    for (let n = 0; n < 3; n++) await h.bot.worker?.passes.posts?.()
    await h.slack.until(() => h.digests().length === 1)
    expect(h.lines.join("")).toContain("{da}:v:post:digest:T1:C1:daily")
  })
})
