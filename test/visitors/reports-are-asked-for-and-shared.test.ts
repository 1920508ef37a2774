import { describe, expect } from "vitest"
import { useVisitors } from "../helpers/visitors.ts"
import { tableIn, typesIn, wordsIn } from "../helpers/visitors-blocks.ts"
import { ADA, ADA_DM, DOCS, GUS, RANDOM } from "../sandbox/slack/index.ts"

const { test } = useVisitors()

describe("a word that is close to one of ours", () => {
  test("VIS-2: is asked about, and one click shows the report in place of the question; what cannot be asked is answered with examples, and neither costs anything", async (h) => {
    const { text } = await h.ask(ADA, "2026-02-30")
    expect(text).toContain("2026-02-30 isn't a date")
    expect(text.match(/• `\/docs-visitors/g)?.length).toBeGreaterThan(2)
    const question = await h.ask(ADA, "quickstart")
    expect(question.text).toBe("Did you mean `/docs-visitors /quickstart`?")
    expect(h.analyticsRequests()).toEqual([])
    const report = await h.use(ADA, question, "visitors_meant")
    expect(report.text).toMatch(/^Docs visitors under \/quickstart/)
    expect(h.slack.ephemerals(ADA)).toHaveLength(2)
  })

  test("runs other commands, too, and takes the question away", async (h) => {
    const question = await h.ask(ADA, "subscribe me weekly")
    await h.slack.as(ADA).click(question, "visitors_meant")
    await h.botSays(/turned on the weekly docs traffic digest/)
    await h.slack.until((s) => s.ephemerals(ADA).length === 0)
  })
})

describe("sharing", () => {
  test("VIS-7: posts the report without controls, once, from its first page", async (h) => {
    const report = await h.ask(ADA, "7d /api")
    const second = await h.use(ADA, report, "visitors_next")
    await h.slack.as(ADA).click(second, "visitors_share")
    const posted = await h.botSays(/^Docs visitors under \/api/)
    expect((await h.use(ADA, second, "visitors_share")).text).toContain("Already shared")
    expect(h.slack.channel(DOCS).messages()).toHaveLength(1)
    expect(tableIn(posted)).toEqual(tableIn(report))
    expect(typesIn(posted)).not.toContain("actions")
    expect(wordsIn(posted)).toContain(`Shared by <@${ADA}>`)
  })

  test("is not offered in the bot's own direct message, nor is a CSV announced above itself", async (h) => {
    const shown = (like: RegExp) =>
      h.slack.until(() => h.said(ADA_DM).find(({ text }) => like.test(text)))
    await h.slack.as(ADA).slash(ADA_DM, "/docs-visitors", "7d")
    const report = await shown(/^Docs visitors/)
    expect(wordsIn(report)).toContain("visitors_csv")
    expect(wordsIn(report)).not.toContain("visitors_share")
    await h.slack.as(ADA).click(report, "visitors_csv")
    await shown(/^CSV ready/)
    expect(h.said(ADA_DM).filter(({ text }) => /DM you/.test(text))).toEqual([])
  })

  test("where the bot is no member answers privately, with how to invite it", async (h) => {
    const report = await h.ask(ADA, "7d", RANDOM)
    const answer = await h.use(ADA, report, "visitors_share")
    expect(answer.text).toContain("Invite me with `/invite` <@")
    expect(h.slack.channel(RANDOM).messages()).toEqual([])
  })
})

test("SAFE-4: a guest is refused, and nothing is read", async (h) => {
  await h.slack.as(GUS).slash(DOCS, "/docs-visitors", "7d")
  await h.toldPrivately(GUS, /Guests can't/)
  expect(h.analyticsRequests()).toEqual([])
})
