import { expect } from "vitest"
import { useTestBed } from "../helpers/test-bed.ts"
import { useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, BEN, buttonsOf, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
const { testBed: followed } = useTestBed({ followsPulls: true })
const { withPull } = useFollowedPulls({ env: { ADMIN_USERS: CLEO } })

test("PUL-10: a report is private first, and one click shares it once, without a name of who asked; of a period that cannot be it says what can", async (h) => {
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await h.botSays(/request ready/)

  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "report 400d")
  expect((await h.toldPrivately(BEN, /more than a year/)).text).toMatch(/report 90d/)
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "report today")
  const report = await h.toldPrivately(BEN, /1 request, 1 pull request opened/)
  expect(report.text).not.toContain(ADA)
  expect(buttonsOf(report)).toEqual(["share_outcomes"])

  await h.slack.as(BEN).click(report, "share_outcomes")
  await h.slack.as(BEN).click(report, "share_outcomes")
  await h.toldPrivately(BEN, /Already shared/)
  await h.botSays(/pull request opened/)
  const shared = h.botMessages().filter(({ text }) => text.includes("pull request opened"))
  expect(shared).toHaveLength(1)
  expect(h.docs.creations).toHaveLength(1)
})

test("PUL-10, OPS-9: a merge is in the report and in the audit, with its time", async () => {
  const { h, act } = await withPull()
  await act({ do: "merge", by: "cleo" })
  await h.botSays(/^<@.*Merged by cleo/)
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "report today")
  const report = await h.toldPrivately(CLEO, /1 request, 1 pull request opened/)
  expect(report.text).toMatch(/1 merged · 0 closed · 0 waiting\nMedian time to the merge: /)
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "audit")
  const audit = await h.slack.until((s) => s.files()[0]?.content.toString("utf8"))
  expect(audit).toMatch(/\/pull\/214,merged,20\d\d-\S+Z\r\n$/)
})

test("PUL-10: where nothing is kept of who asked, the report says why there is none", async () => {
  const h = await testBed({ env: { AUDIT_DAYS: "0" } })
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "report")
  await h.toldPrivately(BEN, /^No report: .* `AUDIT_DAYS`/)
})

test("PUL-13: a new card says once that five or more pull requests wait, and no longer once it has ended", async () => {
  const h = await followed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const ask = (text: string) => h.slack.as(ADA).slash(DOCS, "/docs-agent", text)
  const says = /5 or more pull requests are waiting/
  const said = () => h.botMessages().filter(({ text }) => says.test(text))
  const seen = (count: number) => h.botSaysTimes(count, /Pull request ready.*\n.*files?, \+/)
  const latest = () => h.docs.creations.at(-1)?.jobId ?? ""
  const finish = () => h.docs.finish(latest(), "pull_request")
  for (const n of [1, 2, 3, 4]) {
    await ask(`write guide ${n}`)
    await seen(n)
  }
  const fourth = h.docs.job(latest())?.prLink ?? ""
  h.docs.planAll({ ending: "never", afterMs: 0 })
  const working = async () => (await h.botSays(/Working on it/)).text
  await ask("write guide 4 once more")
  expect(await working()).not.toMatch(says)
  h.docs.setPrLink(latest(), fourth)
  finish()
  await seen(5)
  await ask("write guide 5")
  expect(await working()).not.toMatch(says)
  finish()
  await seen(6)
  await ask("write one more guide")
  const card = await h.botSays(/Working on it/)
  expect(card.text).toMatch(says)
  finish()
  await seen(7)
  expect(said()).toEqual([])
  // A follow-up opens no further pull request.
  await h.slack.as(ADA).mention(DOCS, "shorten it a bit", { thread: card.ts })
  await h.botSays(/Updating/)
  expect(said()).toEqual([])
})
