import { describe, expect, test } from "vitest"
import { dropAll } from "../../../src/operating/admin-actions.ts"
import { pauseMessages, resumeAll } from "../../helpers/put-off.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { CHANGES_REQUESTED, cardSays, useFollowedPulls } from "../../helpers/with-pull.ts"
import { ADA } from "../../sandbox/slack/index.ts"

const { withPull } = useFollowedPulls()

describe("changes requested", () => {
  test("can be addressed again after the follow-up was dropped by an admin", async () => {
    const { h, act, reply } = await withPull()
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await pauseMessages(h)
    await h.slack.as(ADA).click(post, "address_review")
    await botSays(h, /Paused until/)
    await dropAll(h.services.work, h.services.front.settings.projects.keys[0] ?? "")
    await h.slack.until(
      (s) => !botMessages(s).some(({ text }) => /Paused until|queued/.test(text)) || undefined,
    )
    await resumeAll(h)
    await h.slack.as(ADA).click(post, "address_review")
    await botSays(h, /Updated/, { thread: reply.threadTs })
  })

  test("can be addressed again once after their follow-up, a job of its own, was cancelled", async () => {
    const env = { START_DELAY_SECONDS: "1", DOCS_MESSAGE_PATH: "off" }
    const { h, act, reply } = await withPull({ env })
    await act(CHANGES_REQUESTED)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    const card = await botSays(h, /Starting in a moment/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(card, "cancel")
    await botSays(h, /Cancelled before it started/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain("Say which version.")
    await h.slack.as(ADA).click(post, "address_review")
    await toldPrivately(h, ADA, /^This review was already sent/)
  })

  test("are quoted without those that an earlier follow-up had, also after one was cancelled", async () => {
    const { h, act, reply } = await withPull({ env: { START_DELAY_SECONDS: "1" } })
    const says = (by: RegExp) => botSays(h, by, { thread: reply.threadTs })
    await act(CHANGES_REQUESTED)
    await h.slack.as(ADA).click(await says(/Changes requested by ben/), "address_review")
    await says(/Updated/)
    await act({ ...CHANGES_REQUESTED, by: "cleo", body: "Say it twice.", comments: [] })
    const post = await says(/Changes requested by cleo/)
    await h.slack.as(ADA).click(post, "address_review")
    await h.slack.as(ADA).click(await cardSays(h, /Starting/), "cancel")
    await cardSays(h, /Pull request ready|Changes requested/)
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(
      h,
      ({ requests }) => requests.filter(({ kind }) => kind === "message").length === 2,
    )
    const [job] = h.docs.jobs("docs-site")
    expect(job?.messages[1]?.prompt).toContain("Say it twice.")
    expect(job?.messages[1]?.prompt).not.toContain("Say which version.")
  })
})
