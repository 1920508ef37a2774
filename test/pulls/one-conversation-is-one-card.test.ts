import { expect, test } from "vitest"
import { botMessages, botSays, direct } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { useVisitors } from "../helpers/visitors.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ followsPulls: true })

test("FOL-4, FOL-6, FOL-7, FOL-8, FOL-9: one request, two follow-ups while it works, a review that is addressed, and a merge are one card, six messages and five pings", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 600 })
  await h.slack.as(ADA).mention(DOCS, "write the guide")
  const card = await botSays(h, /Working on it/)
  const thread = card.threadTs ?? card.ts
  await h.slack.as(ADA).mention(DOCS, "also shorten the intro", { thread })
  await h.slack.as(ADA).mention(DOCS, "and fix the links", { thread })
  await botSays(h, /Updated/, { thread })
  const [pull] = h.github.pulls()
  if (!pull) throw new Error("No pull request was opened")
  const act = (action: Parameters<typeof h.github.act>[2]) =>
    h.github.act(pull.repository, pull.number, action)
  act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "Say which version." })
  const review = await botSays(h, /> Changes requested by ben/, { thread })
  const isSecondUpdate = () =>
    botMessages(h.slack).filter(({ text }) => text.includes("Updated acme")).length === 2 ||
    undefined
  await h.slack.as(ADA).click(review, "address_review")
  await h.slack.until(isSecondUpdate)
  act({ do: "merge", by: "ben" })
  const merged = () => botMessages(h.slack).filter(({ text }) => /Merged by ben/.test(text))
  await h.slack.until(() => merged().length === 2 || undefined)
  const said = botMessages(h.slack)
  expect(said).toHaveLength(6)
  // Slack notifies the people that a post mentions, but nobody at an edit.
  const posts = h.slack.calls.filter(({ method }) => method === "chat.postMessage")
  const pings = posts.map(({ args }) => JSON.stringify(args).includes("<@"))
  expect(pings).toEqual([false, true, true, true, true, true])
  expect(h.github.pulls()).toHaveLength(1)
  expect(h.docs.creations).toHaveLength(1)
})

const clocked = useVisitors({ followsPulls: true })
const DAY_MS = 86_400_000

test.each([
  ["while it works", 900],
  ["once it is ready", 20],
])(
  "FOL-4, FOL-6, FOL-9: one person's request with two follow-ups %s, a review and a merge are five messages and four pings, and a reminder of the days between is one direct message",
  async (when, afterMs) => {
    const h = await clocked({ env: { START_DELAY_SECONDS: "1" } })
    h.docs.planAll({
      ending: "pull_request",
      afterMs,
      followUp: { ending: "pull_request", afterMs: 20 },
    })
    await h.slack.as(ADA).mention(DOCS, "write the guide")
    const says = when === "while it works" ? /Working on it/ : /Your pull request is ready/
    const { threadTs: thread } = await botSays(h, says)
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
  },
)
