import { describe, expect, test } from "vitest"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { joined } from "../../helpers/restarted.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, RANDOM } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ slack: { agent: "declared" } })

const SET = "agents.sessions.setStatus"
const calls = ({ slack }: TestBed) => slack.calls.filter(({ method }) => method === SET)
const posts = ({ slack }: TestBed) =>
  slack.calls.filter(({ method }) => method === "chat.postMessage").length

/** Every status that the app set for the session of this thread. */
function states({ slack }: TestBed, root: string, channel: string = DOCS): string[] {
  return slack.agents.session(channel, root)?.history.map(({ status }) => status) ?? []
}

/** Resolves when Slack shows this of the thread. */
function shows(h: TestBed, root: string, status: string, channel: string = DOCS) {
  return h.slack.until(() => states(h, root, channel).at(-1) === status)
}

describe("the thread of a job is a session", () => {
  test("of a command: processing under its card while it runs, active when done", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the <quickstart>\nplease")
    const card = await botSays(h, /Working on it/)
    await shows(h, card.ts, "processing")
    expect(h.slack.agents.session(DOCS, card.ts)).toMatchObject({
      title: "fix the ‹quickstart› please",
      initiator: ADA,
    })
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    await shows(h, card.ts, "active")
    expect(states(h, card.ts)).toEqual(["processing", "active"])
    expect(posts(h)).toBe(2)
  })

  test.each([
    ["in a channel", (h: TestBed) => h.slack.as(ADA).mention(DOCS, "fix the footer")],
    ["in a direct message", (h: TestBed) => h.slack.as(ADA).directMessage("fix the footer")],
  ] as const)("of words %s", async (_where, ask) => {
    const h = await testBed()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    const { channel, ts } = await ask(h)
    await shows(h, ts, "active", channel)
    expect(h.slack.agents.session(channel, ts)?.title).toBe("fix the footer")
  })

  test("and a queued one's is processing as well", async () => {
    const h = await testBed({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "takes the hour")
    await botSays(h, /Working on it/)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "must wait")
    const card = await botSays(h, /must wait/)
    await shows(h, card.ts, "processing")
    await h.slack.as(ADA).click(card, "cancel")
    await shows(h, card.ts, "active")
  })

  test("with several jobs it is processing until the last is done", async () => {
    const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    const { ts } = await h.slack.as(ADA).mention(DOCS, "first")
    const first = await botSays(h, /Working on it/, { thread: ts })
    await h.slack.as(ADA).mention(DOCS, "second", { thread: ts })
    const second = await botSays(h, /second/, { thread: ts })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    await shows(h, ts, "processing")
    await h.slack.as(ADA).select(await botSays(h, /first/), "job_menu", "Stop following")
    await h.slack.until(() => /No longer followed/.test(textOf(h, first.ts)))
    // Whatever the end of the first brought about is over once a session that began later is done.
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "elsewhere")
    const third = await botSays(h, /elsewhere/)
    await shows(h, third.ts, "processing")
    expect(states(h, ts)).toEqual(["processing"])
    await h.slack.until(() => /Working on it/.test(textOf(h, second.ts)))
    await h.slack.as(ADA).select(await botSays(h, /second/), "job_menu", "Stop following")
    await shows(h, ts, "active")
    expect(second.threadTs).toBe(ts)
  })

  test("it is processing again when its job is followed again", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    const card = await botSays(h, /Working on it/)
    await shows(h, card.ts, "processing")
    await h.slack.as(ADA).select(card, "job_menu", "Stop following")
    await shows(h, card.ts, "active")
    await h.slack.as(ADA).click(await botSays(h, /No longer followed/), "check_again")
    await shows(h, card.ts, "processing")
  })

  test("never holds a card or a closing reply up", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    const held = h.slack.hold(SET)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "one")
    await h.slack.as(BEN).slash(DOCS, "/docs-agent", "two")
    await botSays(h, /couldn't finish/, { thread: (await botSays(h, /one/)).ts })
    await botSays(h, /couldn't finish/, { thread: (await botSays(h, /two/)).ts })
    held.release()
    await shows(h, (await botSays(h, /one/)).ts, "active")
    await shows(h, (await botSays(h, /two/)).ts, "active")
  })

  test("a secret in the request is in no title", async () => {
    const h = await testBed()
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", `use ${h.env.DOCS_API_KEY} for the example`)
    const card = await botSays(h, /for the example/)
    await shows(h, card.ts, "processing")
    expect(h.slack.agents.session(DOCS, card.ts)?.title).toBe("use [secret] for the example")
  })
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
      for (const words of ["one", "two", "three"]) await aWholeJob(h, words)
      await h.restartBot()
      await aWholeJob(h, "four")
      expect(calls(h).map(({ error }) => error)).toEqual([code])
      expect(lines.filter((line) => line.includes("offer this app agent sessions"))).toHaveLength(1)
      expect(lines.filter((line) => line.includes("did not take a call"))).toEqual([])
      expect(await h.services.sessions.surfaceState()).toMatchObject({ state: "off", code })
    },
  )

  test.each(["missing_scope", "unknown_method", "method_not_supported_here"])(
    "with %s, the surface is off",
    async (code) => {
      const h = await testBed()
      h.slack.fail({ kind: "error", error: code, method: SET })
      h.docs.planAll({ ending: "failed", afterMs: 20 })
      for (const words of ["one", "two"]) await aWholeJob(h, words)
      expect(calls(h)).toHaveLength(1)
    },
  )

  test("one channel that the app may only post in, the others are sessions all the same", async () => {
    const h = await testBed()
    h.slack.setScopes([...(await scopesOf(h)), "chat:write.public"])
    await h.services.slackState.refresh()
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    h.slack.setBotMembership(RANDOM, false)
    await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "fix the guide")
    await botSays(h, /couldn't finish/, { channel: RANDOM })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "here")
    const card = await botSays(h, /here/)
    await shows(h, card.ts, "active")
    expect(await h.services.sessions.surfaceState()).toMatchObject({ state: "on", hasStop: true })
  })

  test("who asked, as the one it is named after, it is a session without a name", async () => {
    const h = await testBed()
    h.slack.fail({
      kind: "error",
      error: "user_not_found",
      method: SET,
      matching: ({ initiator_user_id }) => initiator_user_id !== undefined,
    })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it")
    const card = await botSays(h, /fix it/)
    await shows(h, card.ts, "active")
    expect(h.slack.agents.session(DOCS, card.ts)?.title).toBeUndefined()
  })

  test("a thread for good, it is left alone", async () => {
    const h = await testBed()
    h.slack.fail({ kind: "error", error: "invalid_arguments", method: SET })
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await aWholeJob(h, "one")
    await h.services.work.sessions.claim()
    expect(calls(h).length).toBeLessThanOrEqual(4)
    expect(await h.services.sessions.surfaceState()).toEqual({ state: "unknown" })
  })
})

test("calls that are lost, late or refused for now are made again until Slack shows what is true", async () => {
  const h = await testBed()
  h.slack.fail({ kind: "rate_limited", retryAfter: 0, method: SET, times: 2 })
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  await h.slack.as(CLEO).slash(DOCS, "/docs-agent", "fix it")
  const card = await botSays(h, /fix it/)
  await shows(h, card.ts, "active")
})

/** Until its ending is told, and whatever its session's loop had to do is done. */
async function aWholeJob(h: TestBed, words: string): Promise<void> {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", words)
  const card = await botSays(h, new RegExp(words))
  await botSays(h, /couldn't finish/, { thread: card.ts })
  await h.slack.until(() => /couldn't finish/.test(textOf(h, card.ts)))
  await expect
    .poll(() => h.services.work.sessions.jobsIn({ channel: DOCS, root: card.ts }), {
      timeout: 10_000,
    })
    .toEqual([])
}

function textOf({ slack }: TestBed, ts: string): string {
  return (
    slack
      .channel(DOCS)
      .all()
      .find((message) => message.ts === ts)?.text ?? ""
  )
}

async function scopesOf(h: TestBed): Promise<readonly string[]> {
  return (await h.services.slackState.refresh()).scopes
}
