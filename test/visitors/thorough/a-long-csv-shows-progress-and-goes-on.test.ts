import { expect, onTestFinished, test, vi } from "vitest"
import { analyticsRequests, said, useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { ADA, ADA_DM } from "../../sandbox/slack/index.ts"

const { bed } = useVisitors()

const lastWord = (h: VisitorsBed) => said(h, ADA_DM)[0]?.text ?? ""
const files = (h: VisitorsBed) => said(h, ADA_DM).flatMap((m) => m.files)

/** Shows a report of 3,000 pages, none of which is cached, so that its CSV takes 12 requests. */
async function longReport() {
  const h = await bed({ docs: { visitors: { pages: 3_000 } } })
  const report = await h.ask(ADA, "90d")
  await h.services.workerRedis.del(...(await h.services.workerRedis.keys("{da}:v:read:page:*")))
  return { h, report, spent: analyticsRequests(h).length }
}

test("VIS-8: the CSV shows every ten seconds how far it is", async () => {
  const { h, report, spent } = await longReport()
  h.docs.fail({ type: "delay", ms: 50, kind: "visitors", times: 12 })
  const steady = performance.now.bind(performance)
  const passed = { ms: 0 }
  const clock = vi.spyOn(performance, "now").mockImplementation(() => steady() + passed.ms)
  onTestFinished(() => clock.mockRestore())
  await h.use(ADA, report, "visitors_csv")
  await expect.poll(() => analyticsRequests(h).length).toBeGreaterThan(spent + 2)
  passed.ms = 11_000
  await h.slack.until(() =>
    said(h, ADA_DM).some(({ text }) => /^CSV ready · .* · 3,000 pages · /.test(text)),
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
  expect(analyticsRequests(h)).toHaveLength(spent + 12)
})
