import { expect } from "vitest"
import { type Bed, FAST_TIMING, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, DOCS, type Mishap, RANDOM } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const openFromSearch = (h: Bed) => h.slack.as(ADA).globalShortcut("ask_docs_agent_global")

test("ASK-25, ASK-24: a form that names a channel where the bot is not says so, keeps the words, and goes on with another channel", async (h) => {
  h.docs.planAll(READY)
  h.slack.setBotMembership(RANDOM, false)
  const ada = h.slack.as(ADA)
  await ada.slash(RANDOM, "/docs-agent", "")
  const refused = await ada.submitModal({ prompt: "fix it in the docs" })
  expect(refused).toMatchObject({
    accepted: false,
    errors: { channel: "I'm not in that channel. Choose another one, or invite me there first." },
  })
  await ada.submitModal({ prompt: "fix it in the docs", channel: DOCS })
  await h.botSays(/Pull request ready/, { channel: DOCS })
})

test("ASK-25, SAFE-9: who sends such a form while Slack is slow hears the reason once it is known", async () => {
  const timing = { ...FAST_TIMING, answerWithinMs: 20 }
  const h = await testBed({ timing })
  h.slack.setBotMembership(RANDOM, false)
  const ada = h.slack.as(ADA)
  await ada.slash(RANDOM, "/docs-agent", "")
  const held = h.slack.hold("conversations.history")
  const { errors } = await ada.submitModal({ prompt: "fix it in the docs" })
  expect(errors).toMatchObject({ prompt: expect.stringMatching(/longer than usual/) })
  held.release()
  await h.botSays(/^I'm not in that channel/, { channel: ADA_DM })
})

test.each([
  ["emptied in a channel", (h: Bed) => h.slack.as(ADA).slash(DOCS, "/docs-agent", ""), false],
  ["that names a group's direct message", openFromSearch, true],
] as const)("a form %s is answered there and not in public", async (_, open, group) => {
  const h = await testBed()
  const channel = group ? h.slack.openConversation([ADA, BEN], { bot: true }) : ""
  await open(h)
  await h.slack.as(ADA).submitModal({ prompt: "fix it in the docs", channel })
  await h.botSays(/fix it in the docs/, { channel: channel || ADA_DM })
  expect(h.slack.channel(DOCS).messages()).toEqual([])
  await h.docsUntil(({ creations }) => creations.length === 1)
})

test("ASK-25: of forms without a channel only the first one opens the direct message with a word", async (h) => {
  const between = h.slack.openConversation([ADA, BEN], { bot: false })
  const openBetween = () => h.slack.as(ADA).slash(between, "/docs-agent", "")
  for (const [prompt, open] of [
    ["shorten the intro", openFromSearch],
    ["name the limits", openFromSearch],
    ["name the hosts", openBetween],
  ] as const) {
    await open(h)
    await h.slack.as(ADA).submitModal({ prompt })
    await h.botSays(new RegExp(prompt), { channel: ADA_DM })
  }
  await h.docsUntil(({ creations }) => creations.length === 3)
  expect(h.slack.channel(DOCS).messages()).toEqual([])
  const opening = h.botMessages(ADA_DM).filter(({ text }) => /continue here/.test(text))
  expect(opening).toHaveLength(1)
})

test("ASK-3: where the bot may not post, the person is told privately how to invite it, however often Slack fails at first", async (h) => {
  const failing = { kind: "status", status: 500, times: 1 } as const
  h.slack.fail({ ...failing, method: "response_url" })
  const toAda = ({ channel }: { channel?: unknown }) => channel === ADA
  h.slack.fail({ ...failing, method: "chat.postMessage", matching: toAda })

  await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "fix it here")
  await h.hasten("outbox")

  expect((await h.toldPrivately(ADA, /can't post/)).text).toContain("/invite")
  expect(h.docs.creations).toHaveLength(0)
})

test.each<Mishap>([
  { kind: "html" },
  { kind: "malformed" },
  { kind: "error", error: "internal_error" },
  { kind: "error", error: "used_url" },
])(
  "what a response_url answers with status 200 counts only if it is an ok: $kind $error",
  async (odd) => {
    const h = await testBed()
    h.slack.fail({ ...odd, method: "response_url" })
    await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "fix it here")
    const told = await h.botSays(/can't post/, { channel: ADA_DM })
    expect(told.text).toContain("/invite")
  },
)
