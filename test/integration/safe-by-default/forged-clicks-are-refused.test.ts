import { expect, test } from "vitest"
import { visitorActions } from "../../../src/messages/visitors/controls.ts"
import { clickOnAnothers } from "../../helpers/forged.ts"
import { botMessages, botSays, buttonsOf, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })

test("who is no admin cannot resume a paused queue", async () => {
  const h = await testBed()
  h.docs.fail({ type: "expired_key", kind: "create" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "wait for a key")
  await botSays(h, /replaces the API key/)
  const notice = await h.slack.until((s) => {
    const im = s.channels().find((c) => c.kind === "im" && c.members.has(CLEO))
    return im && botMessages(s, im.id).find((message) => buttonsOf(message).includes("resume"))
  })

  await clickOnAnothers(h.slack, BEN, notice, "resume")

  await toldPrivately(h, BEN, /Only an admin/)
  const [queue = ""] = h.services.front.projectKeys
  expect((await h.services.front.health.read(queue)).reason).toBe("key_refused")
})

test("the question about a duplicate is for the person who was asked", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one is mine alone")
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one is mine alone")
  if (!shown) throw new Error("nothing was shown")

  await clickOnAnothers(h.slack, BEN, shown, "run_anyway")

  await toldPrivately(h, BEN, /expired|Too old/)
  expect(await h.services.front.jobs.ofUser(ADA, 5)).toHaveLength(1)
  expect(await h.services.front.jobs.ofUser(BEN, 5)).toEqual([])
})

test("a private report's controls are for its reader", async () => {
  const h = await testBed()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "yesterday")
  const report = await h.slack.until((s) =>
    s.ephemerals(ADA).find((message) => buttonsOf(message).includes(visitorActions.share)),
  )

  await clickOnAnothers(h.slack, BEN, report, visitorActions.share)

  await toldPrivately(h, BEN, /report has expired/)
  expect(botMessages(h.slack)).toEqual([])
})
