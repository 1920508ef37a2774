import { ADA, ADA_DM, DOCS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"
import { file, whisper } from "../../sandbox/workspace/story/find.ts"
import { answered } from "./asking.ts"
import { inStudio, type Shots, type Studio } from "./studio.ts"

const visitors = (studio: Studio, words: string, says: RegExp) =>
  answered(studio, "/docs-visitors", words, says)

/** A report in each of its shapes, and what its controls give. */
export function reports(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { shown, shoot, slack, page, visit } = studio
    const dialog = page.getByRole("dialog")
    const report = await visitors(studio, "7d", /^Docs visitors/)
    await shoot({ "report-week": await shown(Promise.resolve(report)) })
    await slack.as(ADA).select(report, "visitors_improve", await firstPage(report))
    await dialog.waitFor()
    await shoot({ "form-improve": dialog })
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "hidden" })
    await slack.as(ADA).click(report, "visitors_changed")
    await shoot({ "report-what-changed": await shown(whisper(slack, ADA, /^What changed/)) })
    await slack.as(ADA).click(report, "visitors_back")
    await whisper(slack, ADA, /^Docs visitors/)
    await slack.as(ADA).click(report, "visitors_share")
    await shoot({
      "report-shared": await shown(posted(slack, /^Docs visitors/)),
      "report-filtered": await shown(visitors(studio, "30d /guides", /matching/)),
      "report-by-ai": await shown(visitors(studio, "90d by ai", /by AI/i)),
      "report-today": await shown(visitors(studio, "today", /^Docs visitors, \d+ \w+ \d{4}/)),
      "answer-visitors-help": await shown(visitors(studio, "help", /See who reads/)),
      "answer-visitors-bad-range": await shown(visitors(studio, "14w", /understand/)),
      "answer-csv": await shown(csv(studio, report)),
    })
    await visit(ADA, ADA_DM)
    await shoot({ "direct-csv": await shown(file(slack, ADA_DM, ".csv")) })
  })
}

async function csv({ slack }: Studio, report: Message): Promise<Message> {
  await slack.as(ADA).click(report, "visitors_csv")
  return whisper(slack, ADA, /DM you the CSV/)
}

/** What readers do not find, and what comes to a channel by itself. */
export function news(shots: Shots): Promise<void> {
  return inStudio(shots, {}, async (studio) => {
    const { shown, shoot, slack, sandbox } = studio
    await shoot({ "report-gaps": await shown(visitors(studio, "gaps", /^What readers/)) })
    await slack.as(ADA).slash(DOCS, "/docs-visitors", "subscribe weekly gaps")
    await slack.as(ADA).slash(DOCS, "/docs-visitors", "alert on")
    await shoot({
      "post-subscribed": await shown(posted(slack, /subscribed this channel/)),
      "post-alerts-on": await shown(posted(slack, /turned on visitor alerts/)),
      "answer-subscriptions": await shown(visitors(studio, "subscriptions", /Visitor digests/)),
      "answer-alerts": await shown(visitors(studio, "alert list", /Visitor alerts/)),
    })
    const { docs } = sandbox.testBed
    const today = new Date(sandbox.api.parts.time.now()).toISOString().slice(0, 10)
    docs.configure({ visitors: { plants: [{ day: today, factor: 0.3, of: "both" }] } })
    await sandbox.api.moveTime({ to: "next_digest" })
    await shoot({ "post-digest": await shown(posted(slack, /^Docs visitors/)) })
    await shoot({ "post-alert": await shown(alert(studio)) })
  })
}

/** A day is looked at every few hours until two looks agree. */
async function alert({ slack, sandbox }: Studio): Promise<Message> {
  for (let looks = 0; looks < 8; looks++) {
    await sandbox.api.moveTime({ to: "next_look" })
    const told = await posted(slack, /than usual/, 3_000).catch(() => undefined)
    if (told) return told
  }
  return posted(slack, /than usual/)
}

/** What the bot posted in #docs and says this. */
function posted(slack: Studio["slack"], says: RegExp, timeoutMs = 60_000): Promise<Message> {
  return slack.until(
    (s) =>
      s
        .channel(DOCS)
        .all()
        .findLast(({ botId, text }) => botId !== undefined && says.test(text)),
    { timeoutMs },
  )
}

/** The value of the first page that the report offers to improve. */
async function firstPage(report: Message): Promise<string> {
  const [, value = ""] = /"value":"([^"]+\.0)"/.exec(JSON.stringify(report.blocks)) ?? []
  return value
}
