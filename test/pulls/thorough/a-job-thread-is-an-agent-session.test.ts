import { describe, expect } from "vitest"
import { jobKeys } from "../../../src/jobs/job-keys.ts"
import { key } from "../../../src/store/redis-keys.ts"
import { botSays, direct, posts, toldPrivately } from "../../helpers/reading.ts"
import { joined } from "../../helpers/restarted.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, GUS, RANDOM } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { agent: "declared" } })

const SET = "agents.sessions.setStatus"
const calls = ({ slack }: Bed) => slack.calls.filter(({ method }) => method === SET)
/** Returns every status that the app has set for the session of this thread. */
function states({ slack }: Bed, root: string, channel: string = DOCS): string[] {
  return slack.agents.session(channel, root)?.history.map(({ status }) => status) ?? []
}

/** Resolves when the thread's session has this status. */
function shows(h: Bed, root: string, status: string, channel: string = DOCS) {
  return h.slack.until(() => states(h, root, channel).at(-1) === status)
}

describe("the thread of a job is a session", () => {
  test("of a command: processing under its card while it runs, active when done, with no secret in its title", async (h) => {
    const words = `fix the <quickstart>\nwith ${h.env.DOCS_API_KEY}`
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
    const card = await botSays(h, /Working on it/)
    await shows(h, card.ts, "processing")
    expect(h.slack.agents.session(DOCS, card.ts)).toMatchObject({
      title: "fix the ‹quickstart› with [secret]",
      initiator: ADA,
    })
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    await shows(h, card.ts, "active")
    expect(states(h, card.ts)).toEqual(["processing", "active"])
    await h.slack.until(() => posts(h) === 2)
  })

  test("of words in a channel: below the words", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    const { channel, ts } = await h.slack.as(ADA).mention(DOCS, "fix the footer now")
    await shows(h, ts, "active", channel)
    expect(h.slack.agents.session(channel, ts)?.title).toBe("fix the footer now")
  })

  test("never holds a card or a closing reply up", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    const held = h.slack.hold(SET)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix page one")
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "fix page two")
    await botSays(h, /couldn't finish/, { thread: (await botSays(h, /page one/)).ts })
    await botSays(h, /couldn't finish/, { thread: (await botSays(h, /page two/)).ts })
    held.release()
    await shows(h, (await botSays(h, /page one/)).ts, "active")
    await shows(h, (await botSays(h, /page two/)).ts, "active")
  })
})

test("a Stop by a requester who may ask no more is refused, and stops nothing", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "failed", afterMs: 2000 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the whole guide")
  const card = await botSays(h, /Working on it/)
  await shows(h, card.ts, "processing")
  await using _other = await joined(h, { env: { ALLOWED_USERS: BEN } })
  await h.slack.agents.sendStop(card, ADA)
  await toldPrivately(h, ADA, /don't have access/)
  await botSays(h, /<@U0ADA00001>.*couldn't finish/, { thread: card.ts })
})

test("a direct message that is no request is answered in its own thread, which opens", async (h) => {
  const { channel, ts } = await h.slack.as(ADA).directMessage("what can you do?")
  await botSays(h, /Ask for a docs change/, { channel, thread: ts })
  expect(states(h, ts, channel)).toEqual(["active"])
})

test("a request in a thread that an answer opened gives it its title, and keeps a person's own", async (h) => {
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  const { channel, ts } = await h.slack.as(ADA).directMessage("what can you do?")
  await botSays(h, /Ask for a docs change/, { channel, thread: ts })
  await h.slack.as(ADA).directMessage("fix the footer now", ts)
  await botSays(h, /couldn't finish/, { channel, thread: ts })
  await shows(h, ts, "active", channel)
  expect(h.slack.agents.session(channel, ts)?.title).toBe("fix the footer now")
  expect(h.slack.calls.filter(({ method }) => method === "agents.sessions.rename")).toHaveLength(1)
})

test("ASK-22: words that *Edit and run again* took out go from the title, too", async (h) => {
  h.docs.planAll({ ending: "failed", afterMs: 0 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide for host-7.internal")
  const reply = await botSays(h, /couldn't finish[\s\S]*didn't say why/)
  const root = reply.threadTs ?? ""
  await shows(h, root, "active")
  await h.slack.as(ADA).click(reply, "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
  await h.slack.until(
    (s) => s.agents.session(DOCS, root)?.title === "write a short guide" || undefined,
  )
  await shows(h, root, "active")
})

test("each message of the bot's own to a person has a title", async () => {
  const h = await testBed({ env: { ADMIN_USERS: CLEO }, goesOn: "the key stays refused" })
  h.docs.fail({ type: "expired_key", kind: "create" })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the footer now")
  const notice = await h.slack.until(() => direct(h, CLEO)[0])
  await shows(h, notice.ts, "active", notice.channel)
  expect(h.slack.agents.session(notice.channel, notice.ts)?.title).toMatch(
    /^Docs requests are paused\./,
  )
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
      const h = await testBed({ slack: { agent }, env: { LOG_LEVEL: "info" }, log })
      h.docs.planAll({ ending: "failed", afterMs: 20 })
      await using _other = await joined(h, { env: { LOG_LEVEL: "info" }, log })
      for (const n of [1, 2, 3]) await aWholeJob(h, n)
      await h.restartBot()
      await aWholeJob(h, 4)
      expect(calls(h).map(({ error }) => error)).toEqual([code])
      expect(lines.filter((line) => line.includes("agent sessions aren't available"))).toHaveLength(
        1,
      )
      expect(lines.filter((line) => line.includes("Slack call failed"))).toEqual([])
      expect(await h.services.workerRedis.exists(key("surface", "sessions"))).toBe(1)
    },
  )

  test("an app that becomes an agent again, its sessions are back at once", async () => {
    const h = await testBed({ slack: { agent: "undeclared" } })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await aWholeJob(h, 1)
    h.slack.agents.set("declared")
    await h.services.slack.state.refresh()
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it here too")
    await shows(h, (await botSays(h, /here too/)).ts, "active")
  })

  test("one channel that the app may only post in, the others are sessions all the same", async (h) => {
    h.slack.setScopes([...(await scopesOf(h)), "chat:write.public"])
    await h.services.slack.state.refresh()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    h.slack.setBotMembership(RANDOM, false)
    await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "fix the guide")
    await botSays(h, /couldn't finish/, { channel: RANDOM })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it here too")
    const card = await botSays(h, /here too/)
    await shows(h, card.ts, "active")
    expect(await h.services.workerRedis.exists(key("surface", "agent_sessions"))).toBe(0)
  })

  test("who asked, such as a guest, as the one who began it, it is nobody's session", async () => {
    const h = await testBed({ env: { ALLOW_EXTERNAL_USERS: "true" } })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(GUS).slash(DOCS, "/docs-agent", "fix it all now")
    const card = await botSays(h, /fix it all/)
    await shows(h, card.ts, "active")
    const session = h.slack.agents.session(DOCS, card.ts)
    expect([session?.title, session?.initiator]).toEqual(["fix it all now", undefined])
  })

  test("a thread for good, it is left alone", async (h) => {
    h.slack.fail({ kind: "error", error: "invalid_arguments", method: SET })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await aWholeJob(h, 1)
    expect(calls(h).length).toBeLessThanOrEqual(4)
    expect(await h.services.workerRedis.exists(key("surface", "agent_sessions"))).toBe(0)
  })
})

/** Makes a request and waits until it has failed and no session is due. */
async function aWholeJob(h: Bed, n: number): Promise<void> {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", `fix page number ${n}`)
  const card = await botSays(h, new RegExp(`number ${n}`))
  await botSays(h, /couldn't finish/, { thread: card.ts })
  await expect
    .poll(() => h.services.workerRedis.zcard(jobKeys.schedule("sessions")), { timeout: 10_000 })
    .toBe(0)
}

async function scopesOf(h: Bed): Promise<readonly string[]> {
  return (await h.services.slack.state.refresh()).scopes
}
