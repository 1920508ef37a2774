import { describe, expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { askUntil } from "../../helpers/asked.ts"
import { type Bed, READY, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, buttonsOf, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
const ONE_SLOT = { env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } }

/** Queues a request from a thread, behind Cleo's. @returns both cards and the thread's root */
async function jobInThread(h: Bed) {
  const cleos = await askUntil(h, "use the whole hour", /Working on it/, CLEO)
  const root = await h.slack.as(ADA).post(DOCS, "the quickstart is old")
  await h.slack.as(ADA).mention(DOCS, "fix it in the docs", { thread: root.ts })
  return { cleos, root, card: await h.botSays(/next in line/, { thread: root.ts }) }
}

test("a click is answered where its message is, inside a thread or in the channel, by the response URL where the bot may not whisper, and once where Slack's answer got lost", async () => {
  const h = await testBed(ONE_SLOT)
  const { cleos, root, card } = await jobInThread(h)
  const click = () => h.slack.as(BEN).click(card, "cancel")
  for (const isInside of [false, true]) {
    h.slack.setBotMembership(DOCS, isInside)
    const told = await h.answerTo(BEN, click)
    expect(told).toMatchObject({ channel: DOCS, threadTs: root.ts })
  }
  h.slack.fail({ method: "chat.postEphemeral", kind: "reset", when: "after", times: 1 })
  for (const _ of [1, 2]) await h.answerTo(BEN, click)
  expect(h.slack.calls.filter(({ method }) => method === "response_url")).toHaveLength(1)
  // A card in the channel that has a thread is still outside of it.
  await h.slack.as(BEN).post(DOCS, "nice", { thread: cleos.ts })
  const told = await h.answerTo(BEN, () => h.slack.as(BEN).click(cleos, "mute"))
  expect(told.threadTs).toBeUndefined()
})

describe("in the bot's own direct message nothing is ephemeral", () => {
  test("a command, though Slack does not say at first whose place it is, a word, a click and a report with its controls", async (h) => {
    const lost = { kind: "status", status: 500, times: 1 } as const
    const unsaid = h.slack.fail({ method: "conversations.history", ...lost })
    await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "quota")
    await h.botSays(/requests used/, { channel: ADA_DM })
    expect(unsaid.hits).toBe(1)
    await h.slack.as(ADA).directMessage("status")
    await h.botSays(/No recent requests/, { channel: ADA_DM })
    await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "fix it in the docs")
    await h.botSays(/Working on it/, { channel: ADA_DM })
    await h.slack.as(ADA).slash(ADA_DM, "/docs-visitors", "7d")
    const report = await h.botSays(/visitors/i, { channel: ADA_DM })
    await h.slack.as(ADA).click(report, "visitors_next")
    await h.slack.until(() =>
      h.botMessages(ADA_DM).some(({ ts, revision }) => ts === report.ts && revision > 1),
    )
    expect(h.slack.ephemerals(ADA)).toEqual([])
  })

  test("where Slack never says whose place it is, answers come in the direct message, also of one between two people, so that the other one doesn't read it", async () => {
    const scopes = Object.keys(SCOPES).filter((scope) => !scope.endsWith(":history"))
    const h = await testBed({ slack: { scopes } })
    const channel = h.slack.openConversation([ADA, BEN], { bot: false })
    const quota = /There's room for your next request/
    await h.slack.as(ADA).slash(channel, "/docs-agent", "quota")
    const { ts } = await h.botSays(quota, { channel: ADA_DM })
    await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "quota")
    await h.slack.until(() =>
      h.botMessages(ADA_DM).some((one) => one.ts > ts && quota.test(one.text)),
    )
    await h.slack.as(ADA).slash(ADA_DM, "/docs-visitors", "7d")
    await h.botSays(/visitors/i, { channel: ADA_DM })
    expect(h.slack.ephemerals(ADA)).toEqual([])
    expect(h.slack.channel(channel).all()).toEqual([])
  })

  // A conversation of two people without the bot: "channel_not_found", and nobody can invite it.
  test("whoever asks between two people is told where to ask, not to invite the bot", async (h) => {
    const channel = h.slack.openConversation([ADA, BEN], { bot: false })
    await h.slack.as(ADA).slash(channel, "/docs-agent", "fix it in the docs")
    const told = await h.toldPrivately(ADA, /can't post in this conversation/)
    expect(told.text).toContain("DM me, or ask in a channel I'm in.")
    expect(told.text).not.toContain("/invite")
    await h.slack.as(ADA).slash(channel, "/docs-visitors", "subscribe weekly")
    const refused = await h.toldPrivately(ADA, /^\*?I can't post in this conv/)
    expect(refused.text).toMatch(/DM me/)
    await h.slack.as(ADA).slash(channel, "/docs-visitors", "7d")
    const report = await h.toldPrivately(ADA, /visitors/i)
    expect(buttonsOf(report)).not.toContain("visitors_share")
    expect(h.slack.ephemerals(ADA).some(({ text }) => text.includes("/invite"))).toBe(false)
    expect(h.docs.creations).toEqual([])
  })
})

test("a Slack that does not answer costs no acknowledgement of a click, a form, a word or a command; the answers come when it does", async () => {
  const h = await testBed(ONE_SLOT)
  const { root, card } = await jobInThread(h)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent")
  await h.slack.until((slack) => slack.modal(ADA))
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "help")

  const held = h.slack.hold()
  const ok = { ok: true }
  expect(await h.slack.as(BEN).click(card, "cancel")).toMatchObject(ok)
  expect(await h.slack.as(ADA).shortcut(root, "ask_docs_agent")).toMatchObject(ok)
  const form = await h.slack.as(ADA).submitModal({ prompt: "fix it in the docs" })
  expect(form.accepted).toBe(true)
  const asked = await h.slack.as(ADA).mention(DOCS, "status", { thread: root.ts })
  expect(asked.deliveries).toMatchObject([{ ok: true }])
  const command = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  expect(command.error).toBeUndefined()
  const home = h.slack.as(ADA).openHome()
  await h.slack.until((slack) => slack.deliveries.at(-1)?.acknowledgement.ok === true)

  held.release()
  await home
  expect(await h.toldPrivately(BEN, /^Only/)).toMatchObject({ threadTs: root.ts })
  await h.toldPrivately(ADA, /made this request/)
  await h.slack.until((slack) => slack.ephemerals(ADA).some(({ threadTs }) => threadTs === root.ts))
})

describe("a group direct message", () => {
  test.each(["both", "app_mention", "message"] as const)("is answered once: %s", async (kind) => {
    const h = await testBed({ plan: READY, slack: { groupMentions: kind } })
    const channel = h.slack.openConversation([ADA, BEN, CLEO], { bot: true })
    await h.slack.as(BEN).post(channel, "no question to the bot")
    await h.slack.as(ADA).mention(channel, "help")
    await h.toldPrivately(ADA, /docs-agent/)
    const asked = await h.slack.as(ADA).mention(channel, "fix it in the docs")
    const ready = await h.botSays(/request is ready/, { channel, thread: asked.ts })
    expect(ready.threadTs).toBe(asked.ts)
    expect(h.slack.ephemerals(ADA)).toHaveLength(1)
    expect(h.docs.creations.map(({ prompt }) => prompt)).toEqual(["fix it in the docs"])
  })

  test("is a place that the form chooses, because it was opened there", async (h) => {
    const channel = h.slack.openConversation([ADA, BEN, CLEO], { bot: true })
    await h.slack.as(ADA).slash(channel, "/docs-agent")
    const { payload } = await h.slack.until((slack) => slack.modal(ADA))
    expect(JSON.stringify(payload)).toContain(`"initial_conversation":"${channel}"`)
    await h.slack.as(ADA).submitModal({ prompt: "fix it in the docs" })
    await h.botSays(/Working on it/, { channel })
  })
})
