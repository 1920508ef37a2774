import { describe, expect } from "vitest"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, ADA_DM, buttonsOf, DOCS, EDITORS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

/** Ways to send text to the bot, as Slack signs them. */
const WAYS = {
  slash: async (h: Bed, words: string) => {
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
  },
  mention: async (h: Bed, words: string) => {
    await h.slack.as(ADA).mention(DOCS, words)
  },
  "direct message": async (h: Bed, words: string) => {
    await h.slack.as(ADA).directMessage(words)
  },
} as const

const jobsOf = (h: Bed) => h.services.front.jobs.ofUser(ADA)

function answers(h: Bed): string[] {
  return [...h.slack.ephemerals(ADA), ...h.botMessages(ADA_DM)].map(({ text }) => text)
}

describe.each(Object.entries(WAYS))("by %s", (_, say) => {
  test("ASK-6, ASK-7, ASK-13: thanks, a greeting and a few words spend no request, and a nod gets no answer; `yes` answers the question where it was asked for a minute, later it and `no` are told that they answer nothing", async (h) => {
    for (const words of ["👍", "thanks!", "hello", "fix links"]) await say(h, words)
    await h.slack.until(() => answers(h).length === 3)
    const all = answers(h).join("\n")
    expect(all).toContain("You're welcome!")
    expect(all).toContain("Tell me what to change in the docs.")
    expect(all).toMatch(/Send this as a request\?/)

    await letExpire(h.services.requestRedis, 60_000)
    for (const word of ["yes", "No."]) await say(h, word)
    await h.slack.until(() => answers(h).length === 5)
    for (const answer of answers(h).slice(3))
      expect(answer).toMatch(/^I'm not waiting for an answer/)
    expect(await jobsOf(h)).toEqual([])
    expect(h.botMessages(DOCS)).toEqual([])

    await say(h, "fix typos")
    await h.slack.until(() => answers(h).length === 6)
    await letExpire(h.services.requestRedis, 55_000)
    await say(h, "yes")
    expect(await h.promptsSent()).toEqual(["fix typos"])
  })
})

test("a command under another name is answered with the known ones, and its text is kept", async (h) => {
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/write-docs", "fix the quickstart")
  expect(shown?.text).toBe(
    "I don't know `/write-docs`. Use `/docs-agent` to request a change, or `/docs-visitors` for docs traffic.\nfix the quickstart",
  )
  expect(await jobsOf(h)).toEqual([])
})

test("ASK-7: in doubt one click sends the request, and the question is gone", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "cancel subscriptions")
  await h.slack.as(ADA).click(await h.toldPrivately(ADA, /Send this/), "run_anyway")
  expect(await h.promptsSent()).toEqual(["cancel subscriptions"])
  await h.slack.until((s) => s.ephemerals(ADA).length === 0)
})

test.each(["no", "never mind", "its button"])(
  "a question that %s declined takes no `yes`",
  async (by) => {
    const h = await testBed()
    const { ts } = await h.slack.as(ADA).post(DOCS, "we talk here")
    const { say } = h.inThread(ts)
    const question = await h.answerTo(ADA, () => say("fix typos", ADA))
    if (by === "its button") await h.slack.as(ADA).click(question, "never_mind")
    else await say(by, ADA)
    await say("yes", ADA)
    await say("status", ADA)
    await h.toldPrivately(ADA, /No recent requests/)
    expect(await jobsOf(h)).toEqual([])
  },
)

test("ASK-13: once words have answered a question in the direct message, its buttons are gone", async (h) => {
  const ada = h.slack.as(ADA)
  const asked = () => h.botSays(/Send this as a request/, { channel: ADA_DM })
  await ada.directMessage("fix typos")
  await asked()
  await ada.directMessage("no")
  expect(buttonsOf(await h.botSays(/^Not sent\.$/, { channel: ADA_DM }))).toEqual([])
  await ada.slash(ADA_DM, "/docs-agent", "glossary")
  await asked()
  await ada.directMessage("yes")
  expect(buttonsOf(await h.botSays(/^Sent\.$/, { channel: ADA_DM }))).toEqual([])
  await h.botSays(/Working on it/, { channel: ADA_DM })
})

describe("the question about a form's request stands where the form was opened, and `yes` is heard there", () => {
  async function askTwice(h: Bed, open: () => Promise<unknown>, channel: string) {
    for (const _ of [1, 2]) {
      await open()
      await h.slack.as(ADA).submitModal({ prompt: "fix it in the docs", channel })
      await h.docsUntil((docs) => docs.creations.length === 1)
    }
  }

  test("when the form named another channel", async (h) => {
    await askTwice(h, () => h.slack.as(ADA).slash(DOCS, "/docs-agent", ""), EDITORS)
    expect((await h.toldPrivately(ADA, /You already made this request/)).channel).toBe(DOCS)
    await h.slack.as(ADA).mention(DOCS, "yes")
    await h.docsUntil((docs) => docs.creations.length === 2)
  })

  test("when the form was opened in no channel", async (h) => {
    await askTwice(h, () => h.slack.as(ADA).globalShortcut("ask_docs_agent_global"), DOCS)
    await h.botSays(/You already made this request/, { channel: ADA_DM })
    await h.slack.as(ADA).directMessage("yes")
    await h.docsUntil((docs) => docs.creations.length === 2)
  })

  test("when the form was opened in a thread", async (h) => {
    const thread = (await h.talk(["old page"])).ts
    const reply = await h.slack.as(ADA).post(DOCS, "very old", { thread })
    await askTwice(h, () => h.slack.as(ADA).shortcut(reply, "ask_docs_agent"), DOCS)
    const question = await h.toldPrivately(ADA, /You already made this request/)
    expect(question).toMatchObject({ channel: DOCS, threadTs: thread })
    await h.inThread(thread).say("yes", ADA)
    await h.botShows("waiting: “fix it in the docs”")
  })
})

/** Resolves once everything before it was taken in, because the bot has answered a later word. */
async function allHeard(h: Bed) {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
  expect(h.docs.creations).toEqual([])
  expect(await h.services.front.jobs.ofUser("USLACKBOT")).toEqual([])
}

describe("SAFE-2: Slackbot starts nothing and is not answered", () => {
  test("with notices in the bot's direct message, which could go on as a loop, or a reminder that mentions the bot", async (h) => {
    h.slack.slackbotAnswers("request", "Requests go to the board, ask your manager")
    await h.slack.slackbotSays(ADA_DM, "Your request form is full, delete some files to go on")
    await h.slack.slackbotSays(DOCS, "Reminder: @docs-agent check the release notes.")
    await allHeard(h)
    for (const channel of [ADA_DM, DOCS]) expect(h.botMessages(channel)).toEqual([])
  })

  test("but it is an app, not a guest, in a thread that it begins", async (h) => {
    const root = await h.slack.slackbotSays(DOCS, "A huddle started", { subtype: "huddle_thread" })
    await h.slack.as(ADA).post(DOCS, "keys last 90 days", { thread: root.ts })
    await h.slack.as(ADA).mention(DOCS, "turn this into docs", { thread: root.ts })
    await h.docsUntil((docs) => docs.creations.length === 1)
    expect(h.docs.creations[0]?.prompt).toContain("> Slackbot: A huddle started\n> ada: keys last")
    expect((await h.botSays(/requested a docs/)).text).not.toContain("aren't included")
  })
})

test("a person who posts through an app is told once a day why nothing happened", async (h) => {
  const text = "<@U0DOCSAGENT> fix the quickstart now"
  h.slack.postAsApp(DOCS, { text })
  h.slack.postAsApp(DOCS, { text, user: ADA })
  const told = await h.toldPrivately(ADA, /^Nothing started/)
  h.slack.postAsApp(DOCS, { text, user: ADA })
  await allHeard(h)
  expect(h.slack.ephemerals(ADA).filter((one) => one.text === told.text)).toHaveLength(1)
  await letExpire(h.services.requestRedis, 86_400_000)
  h.slack.postAsApp(DOCS, { text, user: ADA })
  await h.slack.until((s) => s.ephemerals(ADA).filter((m) => m.text === told.text).length === 2)
})
