import { describe, expect } from "vitest"
import { key } from "../../../src/store/redis-keys.ts"
import { joined } from "../../helpers/restarted.ts"
import { sessionOf, shows, states, working } from "../../helpers/sessions.ts"
import { type Bed, type Options, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, GUS, RANDOM } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { agent: "declared" } })

const SET = "agents.sessions.setStatus"
const FAILS = { ending: "failed", afterMs: 20 } as const
const failing = (more: Options = {}) => testBed({ plan: FAILS, ...more })
const calls = ({ slack }: Bed, of = SET) => slack.calls.filter(({ method }) => method === of)
const isOff = (h: Bed, of: string) => h.services.workerRedis.exists(key("surface", of))

/** Makes a request and waits until it has failed and no session is due. @returns its card */
async function aWholeJob(h: Bed, words = "fix the guide", channel: string = DOCS) {
  await h.slack.as(ADA).slash(channel, "/docs-agent", words)
  const card = await h.botSays(new RegExp(words), { channel })
  await h.botSays(/couldn't finish/, { channel, thread: card.ts })
  await h.untilDone("sessions")
  return card
}

describe("the thread of a job is a session", () => {
  test("of a command: processing under its card while it runs, active when done, with no secret in its title", async (h) => {
    const card = await working(h, ADA, `fix the <quickstart>\nwith ${h.env.DOCS_API_KEY}`)
    expect(sessionOf(h, card)).toMatchObject({
      title: "fix the ‹quickstart› with [secret]",
      initiator: ADA,
    })
    h.finish("pull_request")
    await shows(h, card, "active")
    expect(states(h, card)).toEqual(["processing", "active"])
    await h.slack.until(() => h.postCount() === 2)
  })

  test("never holds a card or a closing reply up", async () => {
    const h = await failing()
    const held = h.slack.hold(SET)
    const pages = [/page one/, /page two/]
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix page one")
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "fix page two")
    for (const page of pages)
      await h.botSays(/couldn't finish/, { thread: (await h.botSays(page)).ts })
    held.release()
    for (const page of pages) await shows(h, await h.botSays(page), "active")
  })
})

test("a Stop by a requester who may ask no more is refused, and stops nothing", async () => {
  const h = await testBed({ plan: { ending: "failed", afterMs: 2000 } })
  const card = await working(h)
  await using _other = await joined(h, { env: { ALLOWED_USERS: BEN } })
  await h.slack.agents.sendStop(card, ADA)
  await h.toldPrivately(ADA, /don't have access/)
  await h.botSays(/<@U0ADA00001>.*couldn't finish/, { thread: card.ts })
})

test("a direct message that is no request is answered in its own thread, which opens; a request there gives it its title, and keeps a person's own", async () => {
  const h = await failing()
  const root = await h.slack.as(ADA).directMessage("what can you do?")
  const { channel, ts } = root
  await h.botSays(/Ask for a docs change/, { channel, thread: ts })
  expect(states(h, root)).toEqual(["active"])
  await h.slack.as(ADA).directMessage("fix the footer now", ts)
  await h.botSays(/couldn't finish/, { channel, thread: ts })
  await shows(h, root, "active")
  expect(sessionOf(h, root)?.title).toBe("fix the footer now")
  expect(calls(h, "agents.sessions.rename")).toHaveLength(1)
})

test("ASK-22: words that *Edit and run again* took out go from the title, too", async () => {
  const h = await failing()
  const card = await aWholeJob(h, "write the guide for host-7.internal")
  await h.slack.as(ADA).click(await h.botSays(/couldn't finish/), "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
  await h.slack.until(() => sessionOf(h, card)?.title === "write a short guide" || undefined)
  await shows(h, card, "active")
})

test("each message of the bot's own to a person has a title", async () => {
  const h = await testBed({ env: { ADMIN_USERS: CLEO }, goesOn: "the key stays refused" })
  h.docs.fail({ type: "expired_key", kind: "create" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the footer now")
  const notice = await h.slack.until(() => h.direct(CLEO)[0])
  await shows(h, notice, "active")
  expect(sessionOf(h, notice)?.title).toMatch(/^Docs requests are paused\./)
})

describe("where Slack refuses", () => {
  test.each([
    ["undeclared", "not_authorized"],
    ["disabled", "feature_disabled"],
  ] as const)(
    "an app that is %s: one call, over all processes and a restart",
    async (agent, code) => {
      const lines: string[] = []
      const log = { write: (line: string) => void lines.push(line) }
      const h = await failing({ slack: { agent }, env: { LOG_LEVEL: "info" }, log })
      await using _other = await joined(h, { env: { LOG_LEVEL: "info" }, log })
      for (const n of [1, 2, 3]) await aWholeJob(h, `fix page number ${n}`)
      await h.restartBot()
      await aWholeJob(h, "fix page number 4")
      expect(calls(h).map(({ error }) => error)).toEqual([code])
      const said = (words: string) => lines.filter((line) => line.includes(words))
      expect(said("agent sessions aren't available")).toHaveLength(1)
      expect(said("Slack call failed")).toEqual([])
      expect(await isOff(h, "sessions")).toBe(1)
    },
  )

  test("an app that becomes an agent again, its sessions are back at once", async () => {
    const h = await failing({ slack: { agent: "undeclared" } })
    await aWholeJob(h)
    h.slack.agents.set("declared")
    await h.services.slack.state.refresh()
    await shows(h, await aWholeJob(h, "fix it here too"), "active")
  })

  test("one channel that the app may only post in, the others are sessions all the same", async () => {
    const h = await failing()
    const { state } = h.services.slack
    h.slack.setScopes([...(await state.refresh()).scopes, "chat:write.public"])
    await state.refresh()
    h.slack.setBotMembership(RANDOM, false)
    await aWholeJob(h, "fix the guide", RANDOM)
    await shows(h, await aWholeJob(h, "fix it here too"), "active")
    expect(await isOff(h, "agent_sessions")).toBe(0)
  })

  test("who asked, such as a guest, as the one who began it, it is nobody's session", async () => {
    const h = await failing({ env: { ALLOW_EXTERNAL_USERS: "true" } })
    await h.slack.as(GUS).slash(DOCS, "/docs-agent", "fix it all now")
    const card = await h.botSays(/fix it all/)
    await shows(h, card, "active")
    const { title, initiator } = sessionOf(h, card) ?? {}
    expect([title, initiator]).toEqual(["fix it all now", undefined])
  })
})
