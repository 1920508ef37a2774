import { expect, test } from "vitest"
import { botSays, toldPrivately } from "../../helpers/reading.ts"
import { joined } from "../../helpers/restarted.ts"
import { analyticsRequests, said, useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { ADA, ADA_DM, DOCS } from "../../sandbox/slack/seed/ids.ts"

const bed = useVisitors()
const MINUTE_MS = 60_000

const questionsOf = ({ services }: VisitorsBed) => services.work.questions

/** Stops the worker, leaving a process that only answers Slack. */
async function webAlone() {
  const h = await bed()
  const report = await h.ask(ADA, "yesterday")
  await h.bot.worker?.stop()
  return { h, report, spent: analyticsRequests(h).length }
}

/** Claims a question like a worker that dies right afterward. */
async function taken(h: VisitorsBed) {
  const held = await questionsOf(h).claim(MINUTE_MS)
  if (typeof held === "number") throw new Error("Nothing was asked")
  return held
}

/** Simulates a worker's death while it shares a report. */
async function sharedByTheDead(posted = false) {
  const { h, report } = await webAlone()
  await h.slack.as(ADA).click(report, "visitors_share")
  const dead = await taken(h)
  const { wanted } = dead.value
  if (wanted.kind !== "click") throw new Error("It was no click")
  await questionsOf(h).begin(dead)
  await h.services.work.shown.claimShare(wanted.value, ADA, dead.id)
  const words = { text: "Docs visitors", blocks: [] }
  const key = { job: wanted.value, part: "share" }
  if (posted) await h.services.slack.unpaced.post({ channel: DOCS }, words, key)
  h.clock.moveOn(MINUTE_MS + 1)
  return h
}

test("a question is acknowledged and kept without a worker, which answers it later", async () => {
  const { h, spent } = await webAlone()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "2026-11-02")
  expect(analyticsRequests(h)).toHaveLength(spent)
  await using _ = await joined(h, { clock: h.clock })
  await toldPrivately(h, ADA, /^Docs visitors, Nov 2, 2026/)
})

test("a question whose worker died is answered by another once the lease has ended", async () => {
  const { h, spent } = await webAlone()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "2026-11-02")
  const dead = await taken(h)
  await using _ = await joined(h, { clock: h.clock })
  await h.ask(ADA, "2026-11-03")
  expect(h.slack.ephemerals(ADA).map(({ text }) => text)).not.toContainEqual(
    expect.stringContaining("Nov 2"),
  )
  h.clock.moveOn(MINUTE_MS + 1)
  await toldPrivately(h, ADA, /^Docs visitors, Nov 2, 2026/)
  expect(analyticsRequests(h).length).toBeGreaterThan(spent)
  expect(await questionsOf(h).begin(dead)).toBe(false)
})

test("a question that nobody answered within half an hour is dropped with a word", async () => {
  const { h, spent } = await webAlone()
  await h.slack.as(ADA).slash(DOCS, "/docs-visitors", "2026-11-02")
  h.clock.moveOn(31 * MINUTE_MS)
  await using _ = await joined(h, { clock: h.clock })
  await botSays(h, /was down when you asked/, { channel: ADA_DM })
  expect(analyticsRequests(h)).toHaveLength(spent)
})

test("a CSV whose worker died goes on below the line that it left, and is one file", async () => {
  const { h, report } = await webAlone()
  await h.slack.as(ADA).click(report, "visitors_csv")
  const dead = await taken(h)
  const line = await h.services.slack.unpaced.direct(ADA, { text: "reading…", blocks: [] })
  await questionsOf(h).settle(dead, { set: { progress: line } })
  h.clock.moveOn(MINUTE_MS + 1)
  await using _ = await joined(h, { clock: h.clock })
  await h.slack.until(() => said(h, ADA_DM)[0]?.text.includes(" · 180 pages · "))
  expect(said(h, ADA_DM)).toHaveLength(2)
})

test("a CSV that nobody went on with for half an hour says that it failed", async () => {
  const { h, report } = await webAlone()
  await h.slack.as(ADA).click(report, "visitors_csv")
  const line = await h.services.slack.unpaced.direct(ADA, { text: "reading…", blocks: [] })
  await questionsOf(h).settle(await taken(h), { set: { progress: line } })
  h.clock.moveOn(31 * MINUTE_MS)
  await using _ = await joined(h, { clock: h.clock })
  await h.slack.until(() =>
    /^CSV failed · .*\n.* Get the CSV again/.test(said(h, ADA_DM)[0]?.text ?? ""),
  )
})

test("a CSV whose upload takes minutes is sent once", async () => {
  const h = await bed()
  const report = await h.ask(ADA, "yesterday")
  const line = h.slack.hold("upload")
  const uploads = () => h.slack.calls.filter(({ method }) => /getUpload/.test(method)).length
  await h.slack.as(ADA).click(report, "visitors_csv")
  await h.slack.until(() => uploads() === 1)
  h.clock.moveOn(9 * MINUTE_MS)
  await h.ask(ADA, "2026-11-03")
  line.release()
  await botSays(h, /^CSV ready/, { channel: ADA_DM })
  expect(uploads()).toBe(1)
})

test.each([true, false])(
  "a shared report whose worker died, posted: %s, is posted once",
  async (posted) => {
    const h = await sharedByTheDead(posted)
    await using _ = await joined(h, { clock: h.clock })
    await botSays(h, /^Docs visitors/)
    await h.ask(ADA, "2026-11-03")
    expect(said(h, DOCS)).toHaveLength(1)
  },
)

test("a shared report whose worker died, and that Slack does not let the bot look for, is unsure", async () => {
  const h = await sharedByTheDead()
  h.slack.fail({ method: "conversations.history", kind: "error", error: "internal_error" })
  await using _ = await joined(h, { clock: h.clock })
  await toldPrivately(h, ADA, /If nothing appears here, get a new report/)
  expect(said(h)).toEqual([])
})
