import { expect, onTestFinished, vi } from "vitest"
import { waitingCsvs } from "../../../src/visitors/csv-queue.ts"
import { forgetMe } from "../../helpers/forget-me.ts"
import { joined } from "../../helpers/restarted.ts"
import { useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { ADA, ADA_DM } from "../../sandbox/slack/index.ts"

const { test, bed } = useVisitors()
const MINUTE_MS = 60_000

test("a report needs no worker; a CSV waits for one, and if that died, for another, which goes on below the line that it left, and is one file", async (h) => {
  await h.bot.worker?.stop()
  const report = await h.ask(ADA, "yesterday")
  await h.slack.as(ADA).click(report, "visitors_csv")
  const { store, events, slack } = h.services.work
  const progress = await slack.unpaced.direct(ADA, { text: "reading…", blocks: [] })
  expect(h.said(ADA_DM)).toHaveLength(1)
  // Another worker claims it, and dies after it posted its progress.
  const csvs = waitingCsvs(store, events.unreadable)
  const held = await csvs.claim(MINUTE_MS)
  if (typeof held === "number") throw new Error("No CSV was ordered")
  await csvs.write(held, { set: { progress } })
  h.clock.moveOn(MINUTE_MS + 1)
  await using _ = await joined(h, { clock: h.clock })
  await h.slack.until(() => h.said(ADA_DM)[0]?.text.includes(" · 180 pages · "))
  expect(h.said(ADA_DM)).toHaveLength(2)
})

test("a CSV whose upload takes minutes is sent once", async (h) => {
  const report = await h.ask(ADA, "yesterday")
  const line = h.slack.hold("upload")
  const uploads = () => h.slack.calls.filter(({ method }) => /getUpload/.test(method)).length
  await h.slack.as(ADA).click(report, "visitors_csv")
  await h.slack.until(() => uploads() === 1)
  h.clock.moveOn(9 * MINUTE_MS)
  await h.bot.worker?.passes.csvs?.()
  line.release()
  await h.botSays(/^CSV ready/, { channel: ADA_DM })
  expect(uploads()).toBe(1)
})

const lastWord = (h: VisitorsBed) => h.said(ADA_DM)[0]?.text ?? ""
const files = (h: VisitorsBed) => h.said(ADA_DM).flatMap((m) => m.files)

/** Shows a report of 3,000 pages, none of which is cached, so that its CSV takes 12 requests. */
async function longReport() {
  const h = await bed({ docs: { visitors: { pages: 3_000 } } })
  const report = await h.ask(ADA, "90d")
  await h.services.workerRedis.del(...(await h.services.workerRedis.keys("{da}:v:read:page:*")))
  return { h, report, spent: h.analyticsRequests().length }
}

/** Orders a long CSV of which two pages are read, and returns the stopwatch's way ahead. */
async function underWay() {
  const { h, report, spent } = await longReport()
  h.docs.fail({ type: "delay", ms: 50, kind: "visitors", times: 12 })
  const steady = performance.now.bind(performance)
  const passed = { ms: 0 }
  const clock = vi.spyOn(performance, "now").mockImplementation(() => steady() + passed.ms)
  onTestFinished(() => clock.mockRestore())
  await h.use(ADA, report, "visitors_csv")
  await expect.poll(() => h.analyticsRequests().length).toBeGreaterThan(spent + 2)
  return { h, passed }
}

test("VIS-8: the CSV shows every ten seconds how far it is", async () => {
  const { h, passed } = await underWay()
  passed.ms = 11_000
  await h.slack.until(() =>
    h.said(ADA_DM).some(({ text }) => /^CSV ready · .* · 3,000 pages · /.test(text)),
  )
  const shown = h.slack.calls.filter(({ method }) => method === "chat.update")
  expect(shown.map(({ args }) => args.text)).toContainEqual(
    expect.stringMatching(/Preparing the CSV · .* · [\d,]+ pages so far/),
  )
})

test("VIS-8: the CSV of a process that stops goes on after it, below the same line", async () => {
  const { h, report, spent } = await longReport()
  h.docs.fail({ type: "delay", ms: 300, kind: "visitors", times: 5 })
  await h.use(ADA, report, "visitors_csv")
  await h.restartBot(async () => expect(files(h)).toEqual([]))
  await h.slack.until(() => files(h).length === 1)
  await h.slack.until(() => lastWord(h).endsWith("3,000 pages · docs"))
  expect(h.slack.channel(ADA_DM).messages()).toHaveLength(2)
  // Pages from before the restart are not requested again.
  expect(h.analyticsRequests()).toHaveLength(spent + 12)
})

const FORGOTTEN = { "the next progress": 11_000, "the file": 0 }

test.each(Object.entries(FORGOTTEN))(
  "ASK-28: who is forgotten before %s gets no CSV, hears so, and nothing of it stays",
  async (_, ms) => {
    const { h, passed } = await underWay()
    await forgetMe(h.slack, ADA)
    passed.ms = ms
    await h.slack.until(() => lastWord(h).startsWith("CSV cancelled"))
    expect(files(h)).toEqual([])
    expect(await h.services.workerRedis.keys(`{da}:own:${ADA}:csv:*`)).toEqual([])
  },
)
