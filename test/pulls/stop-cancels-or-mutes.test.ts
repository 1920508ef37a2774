import { describe, expect } from "vitest"
import { allAsks } from "../../src/jobs/rounds.ts"
import { shows, states, working } from "../helpers/sessions.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS, GUS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { agent: "declared" }, env: { ADMIN_USERS: CLEO } })
const FULL = { env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } }

describe("PUL-12: Slack's Stop button", () => {
  test.each([
    ["its requester", ADA],
    ["an admin", CLEO],
  ])("cancels a job that waits, for %s", async (_, user) => {
    const h = await testBed(FULL)
    await working(h, BEN)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "this one must wait")
    const card = await h.botSays(/must wait/)
    await shows(h, card, "processing")
    await h.slack.as(user).stop(card)
    await h.toldPrivately(user, /^Cancelled what hadn't started/)
    await shows(h, card, "active")
    expect(h.docs.creations).toHaveLength(1)
  })

  test("mutes one that runs, which the agent may still finish, and cancels what waits behind it", async (h) => {
    const card = await working(h)
    await h.slack.as(ADA).mention(DOCS, "and then this one", { thread: card.ts })
    await h.slack.as(ADA).stop(card)
    await h.toldPrivately(ADA, /^Cancelled what hadn't started\.\s+The agent can't be stopped/)
    await h.slack.until(() => states(h, card).length === 2)
    expect(states(h, card)).toEqual(["processing", "processing"])
    const before = h.postCount()
    h.finish("failed")
    await h.botSays(/couldn't finish/)
    await shows(h, card, "active")
    expect(h.postCount()).toBe(before)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
  })

  test("cancels what waits until the result before it is told", async (h) => {
    const card = await working(h)
    await h.slack.as(ADA).mention(DOCS, "and then this one", { thread: card.ts })
    const held = h.slack.fail({ kind: "rate_limited", method: "chat.postMessage", times: 1 })
    h.finish("failed")
    await expect.poll(() => held.hits).toBe(1)
    await h.slack.agents.sendStop(card, ADA)
    await h.toldPrivately(ADA, /^Cancelled what hadn't started/)
    const [found] = await h.services.front.jobs.ofUser(ADA)
    expect(found && allAsks(found.job)).toHaveLength(1)
  })

  test("on a job that has ended, or in a thread that is none, says so to everybody, and the session is at rest", async (h) => {
    const root = await h.slack.as(CLEO).post(DOCS, "we talk")
    expect(await h.slack.agents.sendStop(root, CLEO)).toMatchObject({ status: 200 })
    await h.toldPrivately(CLEO, /^Nothing to stop/)
    expect(h.postCount()).toBe(0)
    const card = await working(h)
    h.finish("failed")
    await h.botSays(/couldn't finish/, { thread: card.ts })
    await shows(h, card, "active")
    for (const [n, user] of [ADA, BEN].entries()) {
      await h.slack.agents.sendStop(card, user)
      await h.toldPrivately(user, /^Nothing to stop/)
      await h.slack.until(() => states(h, card).length === 3 + n)
    }
    expect(states(h, card).at(-1)).toBe("active")
  })

  test.each([
    ["of somebody else", BEN, new RegExp(`<@${ADA}>`)],
    ["of a guest", GUS, /guests/i],
  ] as const)("%s is refused, and the session goes on", async (_, user, says) => {
    const h = await testBed()
    const card = await working(h)
    await h.slack.agents.sendStop(card, user)
    await h.toldPrivately(user, says)
    await h.slack.until(() => states(h, card).length === 2)
    expect(states(h, card)).toEqual(["processing", "processing"])
    h.finish("failed")
    await h.botSays(/couldn't finish/, { thread: card.ts })
  })

  test("delivered twice spares what was run again in between", async () => {
    const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the whole guide")
    const card = await h.botSays(/Starting in a moment/)
    await shows(h, card, "processing")
    await h.slack.as(ADA).stop(card)
    const click = h.slack.deliveries.at(-1)?.delivery
    await h.slack.as(ADA).click(await h.botSays(/Cancelled before it started/), "run_again")
    await h.slack.redeliver(click, { number: 1, reason: "http_timeout" })
    expect((await h.services.front.jobs.ofUser(ADA))[0]?.job.state).toBe("queued")
  })

  test("delivered minutes late stops nothing, and Slack is told the true status", async (h) => {
    const card = await working(h)
    await h.slack.as(ADA).mention(DOCS, "and then this one", { thread: card.ts })
    const event = { type: "agent_session_stopped", user: ADA, channel: DOCS, thread_ts: card.ts }
    await h.slack.sendEvent({ ...event, event_ts: `${Math.floor(Date.now() / 1000) - 180}.000100` })
    await h.slack.until(() => states(h, card).length === 2)
    expect(states(h, card)).toEqual(["processing", "processing"])
    h.finish("pull_request")
    const sent = () => h.docs.jobs("docs-site")[0]?.messages.map(({ prompt }) => prompt) ?? []
    await h.docsUntil(() => sent().length > 0)
    expect(sent()).toEqual(["and then this one"])
  })
})
