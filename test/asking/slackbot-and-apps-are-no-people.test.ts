import { describe, expect } from "vitest"
import { botMessages, botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, ADA_DM, DOCS } from "../sandbox/slack/index.ts"

const { test } = useTestBed()

/** Resolves once everything before it was taken in, because the bot has answered a later word. */
async function allHeard(h: Bed) {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
  expect(h.docs.creations).toEqual([])
  expect(await h.services.front.jobs.ofUser("USLACKBOT", 10)).toEqual([])
}

describe("SAFE-2: Slackbot starts nothing and is not answered", () => {
  test("with its notices in the bot's direct message, which could go on as a loop", async (h) => {
    h.slack.slackbotAnswers("request", "Requests go to the board, ask your manager")
    await h.slack.slackbotSays(ADA_DM, "Your request form is full, delete some files to go on")
    await allHeard(h)
    expect(botMessages(h.slack, ADA_DM)).toEqual([])
  })

  test("with a reminder that mentions the bot", async (h) => {
    await h.slack.slackbotSays(DOCS, "Reminder: @docs-agent check the release notes.")
    await allHeard(h)
    expect(botMessages(h.slack)).toEqual([])
  })

  test("but it is an app, not a guest, in a thread that it begins", async (h) => {
    const root = await h.slack.slackbotSays(DOCS, "A huddle started", { subtype: "huddle_thread" })
    await h.slack.as(ADA).post(DOCS, "keys last 90 days", { thread: root.ts })
    await h.slack.as(ADA).mention(DOCS, "turn this into docs", { thread: root.ts })
    await docsUntil(h, (docs) => docs.creations.length === 1)
    expect(h.docs.creations[0]?.prompt).toContain("> Slackbot: A huddle started\n> ada: keys last")
    expect((await botSays(h, /requested a docs/)).text).not.toContain("aren't included")
  })
})

test("a person who posts through an app is told once a day why nothing happened", async (h) => {
  const text = "<@U0DOCSAGENT> fix the quickstart now"
  h.slack.postAsApp(DOCS, { text })
  h.slack.postAsApp(DOCS, { text, user: ADA })
  const told = await toldPrivately(h, ADA, /^Nothing started/)
  h.slack.postAsApp(DOCS, { text, user: ADA })
  await allHeard(h)
  expect(h.slack.ephemerals(ADA).filter((one) => one.text === told.text)).toHaveLength(1)
  await letExpire(h.services.requestRedis, 86_400_000)
  h.slack.postAsApp(DOCS, { text, user: ADA })
  await h.slack.until((s) => s.ephemerals(ADA).filter((m) => m.text === told.text).length === 2)
})
