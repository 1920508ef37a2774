import { expect, test } from "vitest"
import { key } from "../../../src/store/keys.ts"
import { forgetMe } from "../../helpers/forget-me.ts"
import { botMessages, botSays } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, BEN_DM } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ slack: { agent: "declared" } })
const OFFER = "assistant.threads.setSuggestedPrompts"

const offers = ({ slack }: TestBed) => slack.calls.filter(({ method }) => method === OFFER)
const greetings = ({ slack }: TestBed, channel: string) =>
  botMessages(slack, channel).filter(({ text }) => /Tell me what to change/.test(text))

test("whoever opens the Messages tab is greeted once, also over a restart, and offered requests", async () => {
  const h = await testBed()
  await h.slack.as(ADA).openMessages()
  await botSays(h, /Tell me what to change in the docs/, { channel: ADA_DM })
  expect(h.slack.agents.prompts(ADA)?.prompts).toHaveLength(4)

  await h.restartBot()
  await h.slack.as(ADA).openMessages()
  await h.slack.as(BEN).openMessages()
  await botSays(h, /Tell me what to change/, { channel: BEN_DM })

  expect(greetings(h, ADA_DM)).toHaveLength(1)
  expect(offers(h)).toHaveLength(2)
})

test("what is offered is a request that can be sent as it stands", async () => {
  const h = await testBed()
  await h.slack.as(ADA).openMessages()
  await botSays(h, /Tell me what to change/, { channel: ADA_DM })
  const [first] = h.slack.agents.prompts(ADA)?.prompts ?? []
  const { ts } = await h.slack.as(ADA).directMessage(first?.message ?? "")
  await h.slack.until(() => h.slack.agents.session(ADA_DM, ts))
  expect(h.slack.agents.session(ADA_DM, ts)?.title).toBe(first?.message)
  await botSays(h, /./, { channel: ADA_DM, thread: ts })
})

test("a reply in its thread belongs to the request", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "never", afterMs: 0 })
  const { ts } = await h.slack.as(ADA).directMessage("fix the footer")
  await botSays(h, /Working on it/, { channel: ADA_DM, thread: ts })
  await h.slack.as(ADA).directMessage("cancel", ts)
  await botSays(h, /^Too late to cancel/, { channel: ADA_DM, thread: ts })
  expect(h.docs.creations).toHaveLength(1)
})

test.each(["undeclared", "disabled"] as const)(
  "an app that is %s says nothing, and asks Slack once",
  async (agent) => {
    const h = await testBed({ slack: { agent } })
    await h.slack.as(ADA).openMessages()
    const isOff = () => h.services.workerRedis.exists(key("surface", "prompts"))
    await expect.poll(isOff).toBe(1)
    for (const person of [BEN, ADA]) await h.slack.as(person).openMessages()
    await h.restartBot()
    await h.slack.as(BEN).openMessages()
    await h.slack.as(ADA).openHome()
    expect(offers(h)).toHaveLength(1)
    expect(botMessages(h.slack, ADA_DM)).toEqual([])
    expect(botMessages(h.slack, BEN_DM)).toEqual([])
  },
)

test("who may not ask is greeted by nothing", async () => {
  const h = await testBed({ env: { ALLOWED_USERS: BEN } })
  await h.slack.as(ADA).openMessages()
  await h.slack.as(BEN).openMessages()
  await botSays(h, /Tell me what to change/, { channel: BEN_DM })
  expect(botMessages(h.slack, ADA_DM)).toEqual([])
  expect(offers(h)).toHaveLength(1)
})

test("forget-me forgets the greeting as well", async () => {
  const h = await testBed()
  await h.slack.as(ADA).openMessages()
  await botSays(h, /Tell me what to change/, { channel: ADA_DM })
  await forgetMe(h.slack, ADA)
  await h.slack.as(ADA).openMessages()
  await h.slack.until(() => greetings(h, ADA_DM).length === 2)
})
