import { describe, expect, test } from "vitest"
import { dropAll } from "../../../src/operating/resume-and-drop.ts"
import { CHANGES_REQUESTED, cardSays, useFollowedPulls } from "../../helpers/with-pull.ts"
import { ADA } from "../../sandbox/slack/index.ts"

const { withReview } = useFollowedPulls()

describe("changes requested", () => {
  test("can be addressed again once after their follow-up, a job of its own, was cancelled", async () => {
    const { h, says, address } = await withReview({ env: { DOCS_MESSAGE_PATH: "off" } })
    await h.pause("jobs")
    await address()
    await h.slack.as(ADA).click(await says(/Paused until/), "cancel")
    await says(/Cancelled before it started/)
    await h.resumeAll()
    await address()
    expect((await h.promptsSent(2))[1]).toContain("Say which version.")
    await address()
    await h.toldPrivately(ADA, /^This review was already sent/)
  })

  test("are quoted without those that an earlier follow-up had, also after one was dropped by an admin", async () => {
    const { h, act, says, address } = await withReview()
    await address()
    await says(/Updated/)
    await act({ ...CHANGES_REQUESTED, by: "cleo", body: "Say it twice.", comments: [] })
    const post = await says(/Changes requested by cleo/)
    await h.pause("messages")
    await address(ADA, post)
    await cardSays(h, /Paused until/)
    await dropAll(h.services.work, h.services.front.settings.projects.keys[0] ?? "")
    await cardSays(h, /Pull request ready|Changes requested/)
    await h.resumeAll()
    await address(ADA, post)
    const sent = () => h.docs.jobs("docs-site")[0]?.messages[1]?.prompt
    await expect.poll(sent).toContain("Say it twice.")
    expect(sent()).not.toContain("Say which version.")
  })
})
