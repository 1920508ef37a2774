import { expect } from "vitest"
import { ask, askUntil, waiting } from "../helpers/asked.ts"
import { deliverClick } from "../helpers/forged.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { objectsIn, stringIn } from "../sandbox/kit/json.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import { ADA, ADA_DM, BEN, buttonsOf, DOCS, type Message } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

const prompts = (h: Bed) => h.docs.creations.map(({ prompt }) => prompt)

/** Starts a bot that sends no request within a minute. */
async function unsent() {
  const clock = new MovableClock()
  const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
  return { h, ada: h.slack.as(ADA), send: () => clock.moveOn(61_000) }
}

test.each([
  ["a mention", DOCS, "@docs-agent "],
  ["a direct message", ADA_DM, ""],
])(
  "ASK-33: the words of %s change until they are sent; that it is too late is said once",
  async (_, channel, at) => {
    const { h, ada, send } = await unsent()
    const message = await ada.post(channel, `${at}fix the qickstart page`)
    await h.botSays(/fix the qickstart/, { channel })
    await ada.edit(message, `${at}fix the quickstart page with @ben and @cleo`)
    await h.botSays(/fix the quickstart page with @ben/, { channel })
    send()
    const sent = ["fix the quickstart page with @ben and @cleo"]
    expect(await h.promptsSent()).toEqual(sent)
    const own = () => [...h.slack.ephemerals(ADA), ...h.botMessages(ADA_DM)]
    const told = () => own().filter(({ text }) => text.startsWith("Your edit came too late"))
    expect(told()).toEqual([])
    await ada.edit(message, `${at}fix the quickstart page`)
    await h.slack.redeliver()
    await h.slack.until(() => told().length === 1)
    await ada.slash(DOCS, "/docs-agent", "quota")
    expect(told()).toHaveLength(1)
    expect(prompts(h)).toEqual(sent)
  },
)

test.each([
  ["", /^Your edit came too late/],
  ["never mind", /^Your edit came too late/],
  ["cancel", /^Your edit came too late/],
  ["status", /Working/],
])(
  "ASK-33: an edit to %j, which asks for no change, takes back its own request until it is sent, then is answered %s",
  async (nothing, later) => {
    const { h, ada, send } = await unsent()
    const alone = await ada.mention(DOCS, "fix the qickstart page")
    await h.botSays(/Starting in a moment/)
    await ada.edit(alone, `@docs-agent ${nothing}`)
    await h.slack.redeliver()
    await h.toldPrivately(ADA, /^Cancelled: “fix the qickstart page”/)
    // A command is answered, unlike other words, once its message has no request any more.
    await ada.edit(alone, "@docs-agent quota")
    await h.toldPrivately(ADA, /the last hour/)

    const { say, says } = await h.startThread()
    const older = await say("name the limits too", ADA)
    const newer = await say("add a picture of it", ADA)
    await says(/Starting in a moment/)
    await ada.edit(older, `@docs-agent ${nothing}`)
    await h.toldPrivately(ADA, /^Cancelled: “name the limits too”/)
    send()
    const [prompt] = await h.promptsSent()
    expect(prompt).toMatch(/^write the guide\n.*add a picture of it/s)
    expect(prompt).not.toMatch(/limits/)
    await ada.edit(newer, `@docs-agent ${nothing}`)
    await h.toldPrivately(ADA, later)
    expect(prompts(h)).toEqual([prompt])
    expect(h.slack.ephemerals(ADA)).toHaveLength(4)
  },
)

test.each(["fix the quickstart page", "fix the quickstart page with @ben"])(
  "ASK-33: an edit that comes while the request is read is not lost, and one back to what was sent, %j, is not late, nor the same one again",
  async (words) => {
    const h = await testBed()
    const reading = h.slack.hold("users.info")
    const message = await h.slack.as(ADA).mention(DOCS, "fix the qickstart page")
    await expect.poll(() => reading.hits).toBeGreaterThan(0)
    await h.slack.as(ADA).edit(message, `@docs-agent ${words}`)
    reading.release()
    expect(await h.promptsSent()).toEqual([words])
    await h.slack.redeliver()
    await h.slack.as(ADA).edit(message, "@docs-agent fix the webhooks")
    await h.slack.as(ADA).edit(message, `@docs-agent ${words}`)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
    const told = h.slack.ephemerals(ADA).map(({ text }) => text.slice(0, 9))
    expect(told).toEqual(["Your edit", expect.stringMatching(/^There/)])
  },
)

test.each([
  ["@docs-agent fix the page", "fix the qickstart page"],
  ["@docs-agent fix the page", "never mind"],
  ["fix the page", "fix the qickstart page"],
])(
  "ASK-33: after an edit of %j, an older one to %j, which Slack delivers late, changes nothing",
  async (posted, older) => {
    const { h, ada, send } = await unsent()
    const message = await ada.post(DOCS, posted)
    await ada.edit(message, "@docs-agent fix the quickstart page")
    await h.botSays(/fix the quickstart page/)
    const [event = {}] = objectsIn([h.slack.deliveries.at(-1)?.delivery.payload.event ?? null])
    const text = (stringIn(event, "text") ?? "").replace("fix the quickstart page", older)
    await h.slack.sendEvent({ ...event, text, edited: { user: ADA, ts: message.ts } })
    send()
    expect(await h.promptsSent()).toEqual(["fix the quickstart page"])
    expect(h.slack.ephemerals(ADA)).toEqual([])
  },
)

test("ASK-33: a mention that an edit adds is a request; an edited question asks about the new words, and once confirmed they still change", async () => {
  const { h, ada, send } = await unsent()
  const message = await ada.post(DOCS, "fix the quickstart page")
  await ada.edit(message, "@docs-agent fix typos")
  await h.toldPrivately(ADA, /Send this as a request\?\nfix typos/)
  await ada.edit(message, "@docs-agent fix links")
  const asked = await h.toldPrivately(ADA, /Send this as a request\?\nfix links/)
  await ada.click(asked, "run_anyway")
  await h.botSays(/fix links/)
  await ada.edit(message, "@docs-agent fix links on the quickstart page")
  send()
  expect(await h.promptsSent()).toEqual(["fix links on the quickstart page"])
})

test("an edited command counts once for each edit, and a tidied old message does nothing", async () => {
  const clock = new MovableClock()
  const h = await testBed({ plan: READY, clock })
  const word = await h.slack.as(BEN).mention(DOCS, "quata")
  const old = await h.slack.as(ADA).mention(DOCS, "fix the qickstart page")
  await h.botSays(/request is ready/)
  await h.slack.as(BEN).edit(word, "@docs-agent quota")
  await h.slack.redeliver()
  await h.toldPrivately(BEN, /requests used/)
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
  await h.toldPrivately(ADA, /welcome/)
  await h.slack.as(ADA).edit(message, "@docs-agent fix the quickstart page")
  await h.botSays(/Working/)
  const said = () => h.slack.ephemerals(ADA).length
  const before = said()
  clock.moveOn(2 * 3_600_000)
  await h.slack.as(ADA).edit(await h.slack.as(ADA).post(DOCS, "fix it"), "@docs-agent status")
  await h.slack.until(() => said() === before + 1)
  await h.slack.as(ADA).edit(message, "@docs-agent status")
  expect([said(), prompts(h).length]).toEqual([before + 1, 1])
})

test("ASK-12, ASK-31, LIM-3: Cancel within the moment leaves no job, and the same words are taken again and have all of the hour; one beyond it says where it stands", async () => {
  const clock = new MovableClock()
  const env = { START_DELAY_SECONDS: "60", JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" }
  const h = await testBed({ clock, plan: READY, env })
  await h.slack.as(ADA).click(await askUntil(h, "fix the footer", /Starting in a moment/), "cancel")
  await h.botSays(/Cancelled before it started/)
  expect((await ask(h, "fix the footer")).shown).toBeUndefined()
  await waiting(h, 1)
  clock.moveOn(61_000)
  await h.botSays(/request is ready/)
  const says = /name the limits[\s\S]*queued · starts around [\s\S]*next in line/
  const card = await askUntil(h, "name the limits", says)
  // Slack shows it in the time zone of each reader.
  const [, startsAt] = /starts around <!date\^(\d+)\^/.exec(JSON.stringify(card.blocks)) ?? []
  expect(Number(startsAt) - clock.now() / 1000).toBeGreaterThan(3000)
  expect(h.botMessages()).toHaveLength(4)
  expect(prompts(h)).toEqual(["fix the footer"])
})

test("ASK-12: Cancel takes back what its card showed, and not what joined it in that moment", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" }, goesOn: "a request waits" })
  const { say, says } = await h.startThread()
  const seen = await says(/Starting in a moment/)
  const buttons = seen.blocks.flatMap(({ elements }) => objectsIn(elements))
  const shown = buttons.find(({ action_id }) => action_id === "cancel")
  await say("and name the limits", ADA)
  // Clicks the button as Ada sees it, also if the bot has edited the card by now.
  await deliverClick(h, "cancel", shown?.value)
  // An edit that was drawn while the first one was taken back still shows two.
  const isLeft = (message: Message) =>
    /name the limits/.test(message.text) && buttonsOf(message).join() === "cancel"
  const card = await h.slack.until(() => h.botMessages().find(isLeft))
  expect(card.text).not.toMatch(/the guide/)
  await h.slack.as(ADA).click(card, "cancel")
  await says(/Cancelled before it started/)
  const quota = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "quota")
  expect(quota.shown?.text).toMatch(/^There's room for your next request\./)
})

test("ASK-12: the first post of a card names what joined before it, and its Cancel takes back all", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
  const fault = { kind: "error", error: "internal_error" } as const
  const away = h.slack.fail({ ...fault, method: "chat.postMessage" })
  const { say, says } = await h.startThread()
  await h.slack.until(() => away.hits > 0)
  await say("and name the limits", ADA)
  // A card that was drawn before the follow-up came is refused as well.
  const before = away.hits
  await h.slack.until(() => away.hits > before)
  const cards: string[] = []
  h.slack.subscribe((change) => {
    if (change.type !== "message_posted" || !/Starting in a moment/.test(change.message.text))
      return
    cards.push(JSON.stringify(change.message.blocks))
    void h.slack.as(ADA).click(change.message, "cancel", { index: 0 })
  })
  away.clear()
  await says(/Cancelled before it started/)
  expect(cards).toEqual([expect.stringMatching(/A follow-up is included: “and name the limits”/)])
})
