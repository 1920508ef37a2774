import { describe, expect, test } from "vitest"
import { botMessages, botSays, buttonsOf, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, GUS } from "../../sandbox/slack/seed/ids.ts"
import type { Message } from "../../sandbox/slack/workspace/model.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({
  slack: { agent: "declared" },
  env: { ADMIN_USERS: CLEO, DOCS_MESSAGE_PATH: "off" },
})
const FULL = { env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0", DOCS_MESSAGE_PATH: "off" } }

function states({ slack }: TestBed, { channel, ts }: { channel: string; ts: string }): string[] {
  return slack.agents.session(channel, ts)?.history.map(({ status }) => status) ?? []
}

function shows(h: TestBed, thread: { channel: string; ts: string }, status: string) {
  return h.slack.until(() => states(h, thread).at(-1) === status)
}

/** A job that runs for as long as it is let, its session processing. */
async function running(h: TestBed, user = ADA): Promise<Message> {
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(user).slash(DOCS, "/docs-agent", "fix it")
  const card = await botSays(h, /Working on it/)
  await shows(h, card, "processing")
  return card
}

const posts = ({ slack }: TestBed) =>
  slack.calls.filter(({ method }) => method === "chat.postMessage").length

describe("Slack's Stop button", () => {
  test("cancels a job that waits", async () => {
    const h = await testBed(FULL)
    await running(h, BEN)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "must wait")
    const card = await botSays(h, /must wait/)
    await shows(h, card, "processing")

    await h.slack.as(ADA).stop(card)

    await botSays(h, /^Cancelled before it started\. No job was used/, { thread: card.ts })
    await shows(h, card, "active")
    expect(h.docs.creations).toHaveLength(1)
  })

  test("stops following one that runs, which the agent may still finish", async () => {
    const h = await testBed()
    const card = await running(h)

    await h.slack.as(ADA).stop(card)

    const says = /^Stopped following\. A running job can't be cancelled/
    await botSays(h, says, { thread: card.ts })
    await shows(h, card, "active")
    expect(buttonsOf(await botSays(h, /No longer followed/))).toContain("check_again")
  })

  test("on a job that has ended says so, and the session is at rest", async () => {
    const h = await testBed()
    const card = await running(h)
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "failed")
    await botSays(h, /couldn't finish/, { thread: card.ts })
    await shows(h, card, "active")
    const before = posts(h)

    await h.slack.agents.sendStop(card, ADA)

    await toldPrivately(h, ADA, /^Nothing to stop: this job has already ended/)
    await shows(h, card, "active")
    expect(posts(h)).toBe(before)
    await botSays(h, /couldn't finish/)
  })

  test("on somebody else's job is refused, and the session goes on", async () => {
    const h = await testBed()
    const card = await running(h)

    await h.slack.as(BEN).stop(card)

    await toldPrivately(h, BEN, new RegExp(`Not stopped. Only <@${ADA}> or an admin`))
    await h.slack.until(() => states(h, card).length === 2)
    expect(states(h, card)).toEqual(["processing", "processing"])
    await botSays(h, /Working on it/)
  })

  test("is an admin's, too", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.as(CLEO).stop(card)
    await botSays(h, new RegExp(`^<@${ADA}> Stopped following`), { thread: card.ts })
    await shows(h, card, "active")
  })

  test("is nobody's who may not ask here", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.agents.sendStop(card, GUS)
    await toldPrivately(h, GUS, /Guests can't use/)
    await h.slack.until(() => states(h, card).length === 2)
    expect(states(h, card)).toEqual(["processing", "processing"])
  })

  test("stops all that is one's own in the thread, and says what it could not", async () => {
    const h = await testBed(FULL)
    const root = await h.slack.as(ADA).post(DOCS, "the quickstart is old")
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(ADA).mention(DOCS, "fix it", { thread: root.ts })
    await botSays(h, /Working on it/, { thread: root.ts })
    await h.slack.as(ADA).mention(DOCS, "and the footer", { thread: root.ts })
    await botSays(h, /and the footer/, { thread: root.ts })
    await h.slack.as(BEN).mention(DOCS, "and the header", { thread: root.ts })
    await botSays(h, /and the header/, { thread: root.ts })
    await shows(h, root, "processing")

    await h.slack.as(ADA).stop(root)

    await toldPrivately(h, ADA, new RegExp(`^Not stopped. Only <@${BEN}> or an admin`))
    const told = await botSays(h, /^Cancelled before/, { thread: root.ts })
    expect(told.text).toMatch(/^Cancelled before it started[^\n]*\nStopped following/)
    await h.slack.until(() => states(h, root).length > 1)
    expect(states(h, root).at(-1)).toBe("processing")
    await h.slack.as(BEN).stop(root)
    await shows(h, root, "active")
  })

  test("delivered twice is answered once", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.as(ADA).stop(card)
    await botSays(h, /^Stopped following/, { thread: card.ts })
    await shows(h, card, "active")
    const before = posts(h)
    for (const number of [1, 2])
      expect(await h.slack.redeliver(undefined, { number, reason: "http_timeout" })).toMatchObject({
        status: 200,
      })
    await h.slack.until(() => states(h, card).length >= 3)
    expect(posts(h)).toBe(before)
    expect(h.slack.ephemerals(ADA)).toEqual([])
    expect(states(h, card).at(-1)).toBe("active")
  })

  test("delivered late stops nothing that was asked since", async () => {
    const h = await testBed()
    const card = await running(h)
    await h.slack.as(ADA).stop(card)
    await botSays(h, /^Stopped following/, { thread: card.ts })
    const late = h.slack.deliveries.at(-1)?.delivery
    await h.slack.as(ADA).mention(DOCS, "one example more", { thread: card.ts })
    await botSays(h, /one example more/, { thread: card.ts })
    await h.slack.until(() => /Working on it/.test(botMessages(h.slack).at(-1)?.text ?? ""))

    await h.slack.redeliver(late, { number: 3, reason: "http_timeout" })

    await shows(h, card, "processing")
    expect(await h.services.jobs.inThread(DOCS, card.ts)).toMatchObject({ state: "active" })
  })

  test("in a thread that the bot knows nothing of changes nothing", async () => {
    const h = await testBed()
    const root = await h.slack.as(ADA).post(DOCS, "we talk")
    const before = posts(h)
    expect(await h.slack.agents.sendStop(root, ADA)).toMatchObject({ status: 200 })
    await toldPrivately(h, ADA, /^Nothing is running in this thread/)
    expect(posts(h)).toBe(before)
  })
})
