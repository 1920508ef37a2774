import { expect } from "vitest"
import { csvSchedule } from "../../src/visitors/csv-queue.ts"
import { saveShown } from "../../src/visitors/stored-reports.ts"
import { ADA, DOCS, type Message } from "../sandbox/slack/index.ts"
import { deliverClick } from "./forged.ts"
import {
  type Action,
  type Count,
  formOpens,
  newlySaid,
  newlyTold,
  privately,
  tries,
} from "./lost-replies.ts"
import type { ReadingBed } from "./reading.ts"

const slash = (h: ReadingBed, words: string) => h.slack.as(ADA).slash(DOCS, "/docs-visitors", words)
const reported = (h: ReadingBed, words = "7d") =>
  privately(h, () => slash(h, words), /^Docs visitors/)
const listed = (h: ReadingBed, words = "gaps") =>
  privately(h, () => slash(h, words), /^What readers/)

/** Makes the counter of edits of a private message from now on. */
function newlyEdited(h: ReadingBed, { ts, revision }: Message): Count {
  return () => (h.slack.ephemerals(ADA).find((one) => one.ts === ts)?.revision ?? 0) - revision
}

/** Words after a command that only show something privately. */
const shows = (words: string, answer: RegExp, of: string): Action => ({
  name: `${words || "no words"} after /docs-visitors`,
  of: [of],
  prepare: async (h) => ({ act: () => slash(h, words), count: newlyTold(h, answer) }),
})

/** Words that turn something on, or off again at every second try, which the channel is told. */
const turns = (on: string, off: string, ...of: string[]) =>
  tries(`${on}, and ${off}`, of, async (h, n) => {
    const isOn = n % 2 === 0
    await slash(h, isOn ? off : on)
    const act = () => slash(h, isOn ? on : off)
    return { act, count: newlySaid(h, isOn ? /turned on/ : /turned off/) }
  })

/** Button or menu of a report that shows another part of it in its place. */
const turnsTo = (action: string, use: (h: ReadingBed, report: Message) => Promise<unknown>) =>
  tries(`${action} of a report`, [action], async (h) => {
    const report = await reported(h)
    return { act: () => use(h, report), count: newlyEdited(h, report) }
  })
const clicks = (action: string) =>
  turnsTo(action, (h, report) => h.slack.as(ADA).click(report, action))

/** Actions on what a channel gets about visitors, and on reports about them. */
export const ON_VISITORS: Action[] = [
  turns("subscribe daily", "unsubscribe daily", "visitors:subscribe", "visitors:off"),
  turns("feedback on", "feedback off", "visitors:feedback"),
  turns("alert on", "alert off", "visitors:alert"),
  { ...shows("", /^Docs visitors/, "visitors:report"), of: ["/docs-visitors", "visitors:report"] },
  shows("gaps", /^What readers/, "visitors:gaps"),
  shows("help", /\/docs-visitors/, "visitors:help"),
  shows("subscriptions", /digest/i, "visitors:list"),
  shows("feedback list", /feedback/i, "visitors:list"),
  shows("alert list", /alert/i, "visitors:list"),
  clicks("visitors_changed"),
  clicks("visitors_previous"),
  clicks("visitors_next"),
  turnsTo("visitors_range", (h, report) =>
    h.slack.as(ADA).select(report, "visitors_range", "Last 30 days"),
  ),
  tries("visitors_back of a report", ["visitors_back"], async (h) => {
    const report = await reported(h)
    await h.slack.as(ADA).click(report, "visitors_changed")
    const changes = await h.slack.until((s) =>
      s.ephemerals(ADA).find(({ ts, revision }) => ts === report.ts && revision > report.revision),
    )
    const act = () => h.slack.as(ADA).click(changes, "visitors_back")
    return { act, count: newlyEdited(h, changes) }
  }),
  tries("Share in channel, of the visitors", ["visitors_share"], async (h) => {
    const report = await reported(h)
    const count = newlySaid(h, /^Docs visitors/)
    return { act: () => h.slack.as(ADA).click(report, "visitors_share"), count }
  }),
  tries("Get CSV", ["visitors_csv"], async (h, n) => {
    const report = await reported(h)
    // One that an earlier try ordered may still be on its way, and comes once.
    await expect.poll(() => h.services.workerRedis.zcard(csvSchedule)).toBe(0)
    const before = h.slack.files().length
    expect(before).toBeLessThan(n)
    const count = () => h.slack.files().length - before
    return { act: () => h.slack.as(ADA).click(report, "visitors_csv"), count }
  }),
  tries("the report of an alert", ["alert_report"], async (h) => {
    const [project = ""] = h.services.front.settings.projects.keys
    const range = { from: "2026-11-02", to: "2026-11-02" }
    const view = { project, range, page: 1 }
    const id = await saveShown(h.services.work.store, { channel: DOCS }, view)
    return { act: () => deliverClick(h, "alert_report", id), count: newlyTold(h, /^Docs visitors/) }
  }),
  tries("Did you mean", ["visitors_meant"], async (h) => {
    const question = await privately(h, () => slash(h, "subscriptoins"), /Did you mean/)
    const count = newlyTold(h, /digest/i)
    return { act: () => h.slack.as(ADA).click(question, "visitors_meant"), count }
  }),
  tries("more comments of readers", ["gaps_more"], async (h) => {
    const list = await listed(h, "gaps 30d")
    const count = newlyTold(h, /More of what was written/)
    return { act: () => h.slack.as(ADA).click(list, "gaps_more"), count }
  }),
  tries("Ask the docs agent, about a gap", ["gaps_ask"], async (h) => {
    const list = await listed(h)
    return {
      act: () => h.slack.as(ADA).click(list, "gaps_ask", { index: 0 }),
      count: formOpens(h),
    }
  }),
]
