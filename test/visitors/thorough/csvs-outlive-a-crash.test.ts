import { expect } from "vitest"
import { botSays } from "../../helpers/reading.ts"
import { joined } from "../../helpers/restarted.ts"
import { said, useVisitors, type VisitorsBed } from "../../helpers/visitors.ts"
import { ADA, ADA_DM } from "../../sandbox/slack/index.ts"

const { test, bed } = useVisitors()
const MINUTE_MS = 60_000

/** Stops the worker after a report, leaving a process that only answers Slack, and orders a CSV. */
async function orderedAlone() {
  const h = await bed()
  await h.bot.worker?.stop()
  const report = await h.ask(ADA, "yesterday")
  await h.slack.as(ADA).click(report, "visitors_csv")
  const line = await h.services.work.slack.unpaced.direct(ADA, { text: "reading…", blocks: [] })
  return { h, line }
}

/** Claims a CSV like a worker that dies after it posted its progress. */
async function takenByTheDead(
  { services }: VisitorsBed,
  progress: { channel: string; ts: string },
) {
  const { csvs } = services.workVisitors
  const held = await csvs.claim(MINUTE_MS)
  if (typeof held === "number") throw new Error("No CSV was ordered")
  await csvs.settle(held, { set: { progress } })
}

test("a report needs no worker, and a CSV waits for one", async () => {
  const { h } = await orderedAlone()
  expect(said(h, ADA_DM)).toHaveLength(1)
  await using _ = await joined(h, { clock: h.clock })
  await botSays(h, /^CSV ready/, { channel: ADA_DM })
})

test("a CSV whose worker died goes on below the line that it left, and is one file", async () => {
  const { h, line } = await orderedAlone()
  await takenByTheDead(h, line)
  h.clock.moveOn(MINUTE_MS + 1)
  await using _ = await joined(h, { clock: h.clock })
  await h.slack.until(() => said(h, ADA_DM)[0]?.text.includes(" · 180 pages · "))
  expect(said(h, ADA_DM)).toHaveLength(2)
})

test("a CSV whose upload takes minutes is sent once", async (h) => {
  const report = await h.ask(ADA, "yesterday")
  const line = h.slack.hold("upload")
  const uploads = () => h.slack.calls.filter(({ method }) => /getUpload/.test(method)).length
  await h.slack.as(ADA).click(report, "visitors_csv")
  await h.slack.until(() => uploads() === 1)
  h.clock.moveOn(9 * MINUTE_MS)
  await h.bot.worker?.passes["csv:2"]?.()
  line.release()
  await botSays(h, /^CSV ready/, { channel: ADA_DM })
  expect(uploads()).toBe(1)
})
