import { expect, test } from "vitest"
import { visitorActions } from "../../../src/views/visitors/action-ids.ts"
import { buttonsOf, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, CLEO, DOCS, GUS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ env: { ADMIN_USERS: CLEO } })
type TestBed = Awaited<ReturnType<typeof testBed>>

/** The report that somebody asked for, once it is there. */
async function report(h: TestBed, words: string, user = ADA) {
  await h.slack.as(user).slash(DOCS, "/docs-visitors", words)
  return h.slack.until((s) =>
    s.ephemerals(user).findLast((message) => buttonsOf(message).includes(visitorActions.csv)),
  )
}

test("the answer is private and holds the service's own totals", async () => {
  const h = await testBed()
  const shown = await report(h, "2026-11-01..2026-11-07")
  const { totals } = h.docs.truth("docs-site", "2026-11-01", "2026-11-08")
  for (const figure of [totals.human, totals.ai, totals.total])
    expect(shown.text).toContain(figure.toLocaleString("en-US"))
  expect(h.slack.channel(DOCS).messages()).toEqual([])
})

test("Share posts it in the channel", async () => {
  const h = await testBed()
  const shown = await report(h, "yesterday")
  await h.slack.as(ADA).click(shown, visitorActions.share)
  await h.slack.until((s) =>
    s
      .channel(DOCS)
      .messages()
      .some((m) => m.botId),
  )
})

test("Improve this page opens the form with the page in it", async () => {
  const h = await testBed()
  const shown = await report(h, "yesterday")
  const element = JSON.stringify(shown.blocks)
  const value = /"value":"([\w-]+\.0)"/.exec(element)?.[1] ?? ""
  await h.slack.as(ADA).select(shown, visitorActions.improve, value)
  const modal = await h.slack.until((s) => s.modal(ADA))
  expect(JSON.stringify(modal.payload)).toContain("Improve the page /")
})

test("when Slack does not open that form, the person is told", async () => {
  const h = await testBed()
  const shown = await report(h, "yesterday")
  const value = /"value":"([\w-]+\.0)"/.exec(JSON.stringify(shown.blocks))?.[1] ?? ""
  h.slack.fail({ kind: "error", error: "internal_error", method: "views.open" })
  await h.slack.as(ADA).select(shown, visitorActions.improve, value)
  await toldPrivately(h, ADA, /Slack rejected my answer \(internal_error\)/)
})

test("a guest is refused, and a bad range is answered with examples", async () => {
  const h = await testBed()
  const refused = await h.slack.as(GUS).slash(DOCS, "/docs-visitors", "7d")
  expect(refused.shown?.text).toMatch(/Guests can't/)
  const odd = await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "7 dayz")
  expect(odd.shown?.text).toMatch(/dayz/)
})

test("a service that is down is told, with the reason", async () => {
  const h = await testBed()
  h.docs.fail({ type: "status", status: 503, kind: "visitors" })
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "7d")
  await toldPrivately(h, ADA, /not answer|unavailable|unusable|Can't/i)
})

test("a signed command that somebody sends again changes and says nothing a second time", async () => {
  const h = await testBed()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "subscribe daily 08:00")
  const said = () =>
    h.slack
      .channel(DOCS)
      .messages()
      .map(({ text }) => text)
  await h.slack.until(() => said().length === 1)
  await h.slack.redeliver()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "unsubscribe")
  await h.slack.until(() => said().some((text) => text.includes("stopped")))
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "unsubscribe")
  await toldPrivately(h, ADA, /This channel has no digest/)
  expect(said()).toHaveLength(2)
})
