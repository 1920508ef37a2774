import { expect } from "vitest"
import { gate } from "../helpers/gate.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, ADA_DM, BEN, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const prompts = (h: Bed) => h.docs.creations.map(({ prompt }) => prompt)
const CHANNELS = [
  ["a mention", DOCS, "@docs-agent "],
  ["a direct message", ADA_DM, ""],
] as const

test.each(CHANNELS)("the words of %s change until they are sent", async (_, channel, at) => {
  const clock = new MovableClock()
  const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
  const message = await h.slack.as(ADA).post(channel, `${at}fix the qickstart page`)
  await botSays(h, /fix the qickstart/, { channel })
  await h.slack.as(ADA).edit(message, `${at}fix the quickstart page with @ben and @cleo`)
  await botSays(h, /fix the quickstart page with @ben/, { channel })
  clock.moveOn(61_000)
  await docsUntil(h, (docs) => docs.creations.length > 0)
  expect(prompts(h)).toEqual(["fix the quickstart page with @ben and @cleo"])
  expect(h.slack.ephemerals(ADA)).toEqual([])
})

test.each(CHANNELS)("an edit of %s that comes too late is said, once", async (_, channel, at) => {
  const h = await testBed()
  const message = await h.slack.as(ADA).post(channel, `${at}fix the qickstart page`)
  await botSays(h, /Working/, { channel })
  await h.slack.as(ADA).edit(message, `${at}fix the quickstart page`)
  await h.slack.redeliver()
  const own = () => [...h.slack.ephemerals(ADA), ...botMessages(h.slack, ADA_DM)]
  const told = () => own().filter(({ text }) => text.startsWith("Your edit came too late"))
  await h.slack.until(() => told().length === 1)
  await h.slack.as(ADA).edit(message, `${at}fix the qickstart page`)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
  expect(told()).toHaveLength(1)
  expect(prompts(h)).toHaveLength(1)
})

test.each(["", "never mind", "thanks"])(
  "ASK-33: an edit to %j, which asks for nothing, cancels what was not sent; later it is too late",
  async (nothing) => {
    const clock = new MovableClock()
    const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
    const message = await h.slack.as(ADA).mention(DOCS, "fix the qickstart page")
    await botSays(h, /Starting in a moment/)
    await h.slack.as(ADA).edit(message, `@docs-agent ${nothing}`)
    await h.slack.redeliver()
    await toldPrivately(h, ADA, /^Cancelled: “fix the qickstart page”/)
    const sent = await h.slack.as(ADA).mention(DOCS, "explain the webhooks")
    const newest = async () => (await h.services.front.jobs.ofUser(ADA, 1))[0]?.job
    await expect.poll(async () => (await newest())?.mayStartAt).toBeDefined()
    clock.moveOn(61_000)
    await docsUntil(h, (docs) => docs.creations.length > 0)
    await h.slack.as(ADA).edit(sent, `@docs-agent ${nothing}`)
    await toldPrivately(h, ADA, /^Your edit came too late/)
    expect(prompts(h)).toEqual(["explain the webhooks"])
    expect(h.slack.ephemerals(ADA)).toHaveLength(2)
  },
)

test.each(["cancel", "status"])(
  "ASK-33: an edit to %j takes back its own request, and none that is newer",
  async (word) => {
    const clock = new MovableClock()
    const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
    const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
    const thread = { thread: root.ts }
    const older = await h.slack.as(ADA).mention(DOCS, "name the limits too", thread)
    await h.slack.as(ADA).mention(DOCS, "add a picture of it", thread)
    await botSays(h, /Starting in a moment/, thread)
    await h.slack.as(ADA).edit(older, `@docs-agent ${word}`)
    await toldPrivately(h, ADA, /^Cancelled: “name the limits too”/)
    clock.moveOn(61_000)
    await docsUntil(h, (docs) => docs.creations.length > 0)
    expect(prompts(h)).toEqual([expect.stringMatching(/^write the guide\n.*add a picture of it/s)])
    expect(prompts(h)[0]).not.toMatch(/limits/)
  },
)

test("ASK-33: an edit that comes while the request is read is not lost", async (h) => {
  const read = gate()
  const reading = h.slack.fail({ kind: "held", until: read.opened, method: "users.info" })
  const message = await h.slack.as(ADA).mention(DOCS, "fix the qickstart page")
  await expect.poll(() => reading.hits).toBeGreaterThan(0)
  await h.slack.as(ADA).edit(message, "@docs-agent fix the quickstart page")
  read.open()
  await docsUntil(h, (docs) => docs.creations.length > 0)
  expect(prompts(h)).toEqual(["fix the quickstart page"])
})

test("a mention that an edit adds is a request, and an edited question asks about the new words", async (h) => {
  const message = await h.slack.as(ADA).post(DOCS, "fix the quickstart page")
  await h.slack.as(ADA).edit(message, "@docs-agent fix typos")
  await toldPrivately(h, ADA, /Send this as a request\?\nfix typos/)
  await h.slack.as(ADA).edit(message, "@docs-agent fix links")
  const asked = await toldPrivately(h, ADA, /Send this as a request\?\nfix links/)
  await h.slack.as(ADA).click(asked, "run_anyway")
  await docsUntil(h, (docs) => docs.creations.length > 0)
  expect(prompts(h)).toEqual(["fix links"])
})

test("an edited command counts once for each edit, and a tidied old message does nothing", async () => {
  const clock = new MovableClock()
  const h = await testBed({ clock })
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  const [word, old] = [
    await h.slack.as(BEN).mention(DOCS, "quata"),
    await h.slack.as(ADA).mention(DOCS, "fix the qickstart page"),
  ]
  await botSays(h, /request is ready/)
  await h.slack.as(BEN).edit(word, "@docs-agent quota")
  await h.slack.redeliver()
  await toldPrivately(h, BEN, /requests used/)
  const said = (user: string) => h.slack.ephemerals(user).length
  const before = said(BEN)
  clock.moveOn(2 * 3_600_000)
  await h.slack.as(BEN).edit(word, "@docs-agent quota!")
  clock.moveOn(24 * 3_600_000)
  await h.slack.as(ADA).edit(old, "@docs-agent fix the quickstart page")
  await h.slack.as(ADA).mention(DOCS, "status")
  await h.slack.until(() => said(ADA) === 1)
  expect([said(BEN), prompts(h).length]).toEqual([before, 1])
})

test.each([
  ["an hour ahead of", 3_600_000],
  ["two days ahead of", 48 * 3_600_000],
  ["an hour behind", -3_600_000],
])("SAFE-9: a bot %s Slack hears posts and edits all the same", async (_, aheadMs) => {
  const clock = new MovableClock()
  const slack = { now: () => clock.now() - aheadMs }
  const h = await testBed({ clock, slack })
  const message = await h.slack.as(ADA).mention(DOCS, "thanks")
  await toldPrivately(h, ADA, /welcome/)
  await h.slack.as(ADA).edit(message, "@docs-agent fix the quickstart page")
  await botSays(h, /Working/)
  const said = () => h.slack.ephemerals(ADA).length
  const before = said()
  clock.moveOn(2 * 3_600_000)
  await h.slack.as(ADA).edit(await h.slack.as(ADA).post(DOCS, "fix it"), "@docs-agent status")
  await h.slack.until(() => said() === before + 1)
  await h.slack.as(ADA).edit(message, "@docs-agent status")
  expect([said(), prompts(h).length]).toEqual([before + 1, 1])
})
