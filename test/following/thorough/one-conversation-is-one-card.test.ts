import { expect, test } from "vitest"
import { botMessages, botSays, direct } from "../../helpers/reading.ts"
import { useVisitors } from "../../helpers/visitors.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { bed: clocked } = useVisitors({ followsPulls: true })
const DAY_MS = 86_400_000

test("FOL-4, FOL-6, FOL-9: one person's request with two follow-ups once it is ready, a review and a merge are five messages and four pings, and a reminder of the days between is one direct message", async () => {
  const h = await clocked({ env: { START_DELAY_SECONDS: "1" } })
  h.docs.planAll({
    ending: "pull_request",
    afterMs: 20,
    followUp: { ending: "pull_request", afterMs: 20 },
  })
  await h.slack.as(ADA).mention(DOCS, "write the guide")
  const { threadTs: thread } = await botSays(h, /Your pull request is ready/)
  await h.slack.as(ADA).mention(DOCS, "also shorten the intro", { thread })
  await h.slack.as(ADA).mention(DOCS, "and fix the links", { thread })
  await botSays(h, /Updated acme/, { thread })
  const review = { do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "Say it." } as const
  h.github.act("acme/docs", 214, review)
  await botSays(h, /> Changes requested by ben/, { thread })
  h.clock.moveOn(6 * DAY_MS)
  await h.bot.worker?.passes.reminders?.()
  const reminder = await h.slack.until(() => direct(h, ADA)[0])
  expect(reminder.text).toMatch(/1 pull request needs attention[\s\S]*changes requested/)
  h.github.act("acme/docs", 214, { do: "merge", by: "ben" })
  await botSays(h, /> .*Merged by ben/, { thread })
  const said = botMessages(h.slack)
  expect(said).toHaveLength(5)
  const posts = h.slack.calls.filter(({ method }) => method === "chat.postMessage")
  const pings = posts.filter(({ args }) => JSON.stringify(args).includes("<@"))
  expect([posts.length, pings.length, direct(h, ADA).length]).toEqual([6, 4, 1])
})
