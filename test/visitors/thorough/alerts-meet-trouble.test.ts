import { describe, expect } from "vitest"
import { RATES } from "../../../src/slack/rate-limits.ts"
import { listedProjects } from "../../helpers/listed-projects.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { alertTexts, PROJECT, said, type, useVisitors } from "../../helpers/visitors.ts"
import type { Fault } from "../../sandbox/docs-service/faults.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const { test, bed, watching } = useVisitors()

describe("an unusual day", () => {
  test("is not made up of a usual month, nor of one day of which the channel heard", async () => {
    const h = await watching("on")
    for (let day = 21; day <= 30; day++) await h.at(`2026-11-${day}T12:01Z`)
    expect(alertTexts(h)).toEqual([])
  })

  test("a day that passed while no process lived is not looked at later", async () => {
    const h = await watching("on people", { day: "2026-11-24", factor: 0.3 })
    await h.at("2026-11-28T12:01Z")
    expect(alertTexts(h)).toEqual([])
  })

  test("of which a look is late past midnight is left to the next noon: one message a day", async () => {
    const days = ["2026-11-24", "2026-11-25"].map((day) => ({ day, factor: 0.3 }))
    const h = await watching("on people", ...days)
    await h.at("2026-11-26T10:00Z")
    expect(alertTexts(h)).toEqual([])
    await h.at("2026-11-26T12:00Z")
    expect(alertTexts(h)).toEqual([expect.stringMatching(/^Docs traffic dropped on Wed, Nov 25/)])
  })

  describe("of one project", () => {
    /** Watches a project with an unusual day, and after others whose service answers so. */
    const withOthers = async (...refusals: Fault[]) => {
      const others = refusals.map((refusal, n) => ({ refusal, id: `other-${n}` }))
      const ids = [...others.map(({ id }) => id), PROJECT]
      const h = await bed({
        docs: {
          visitors: { plants: [{ day: "2026-11-24", factor: 0 }] },
          projects: ids.map((id) => ({ id, key: SECRETS.apiKey })),
        },
        env: listedProjects(Object.fromEntries(ids.map((id) => [id, id]))),
      })
      for (const id of ids) await type(h, `project=${id} alert on people`)
      for (const { refusal, id } of others) h.docs.fail({ ...refusal, projectId: id })
      await h.at("2026-11-25T12:00Z")
      return h
    }
    const alert = expect.stringMatching(new RegExp(` people, .* · ${PROJECT}$`))

    test("is not held back by another whose key is refused", async () => {
      expect(alertTexts(await withOthers({ type: "expired_key" }))).toEqual([alert])
    })

    test("waits some hours, not for ever, for another that fails", async () => {
      const h = await withOthers({ type: "status", status: 404 }, { type: "expired_key" })
      expect(alertTexts(h)).toEqual([])
      for (let n = 0; n < 48; n++) {
        h.clock.moveOn(5 * 60_000)
        await h.posts()
      }
      expect(alertTexts(h)).toEqual([alert])
    })
  })
})

describe("alerts", () => {
  test("turned on one after another keep Slack's pace, and nobody hears of a limit", async () => {
    const timing = { ...FAST_TIMING, rates: RATES }
    const h = await bed({ slack: { rateLimits: "slack" }, timing })
    for (const path of ["/a", "/b", "/c", "/d", "/e", "/f", "/g"])
      await h.slack.as(ADA).slash(DOCS, "/docs-visitors", `alert on people ${path}`)
    await h.slack.until(() => said(h).length + h.slack.ephemerals(ADA).length === 7)
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
    await h.slack.until(() => said(h).length + answered() === 4)
    expect(said(h)).toHaveLength(1)
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
