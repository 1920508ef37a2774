import { afterEach, expect, vi } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { SCOPES } from "../../src/slack/scopes.ts"
import { openDelivery } from "../helpers/delivering.ts"
import { useRedis } from "../helpers/redis.ts"
import { type Bed, FAST_TIMING, READY, useTestBed } from "../helpers/test-bed.ts"
import { cardSays } from "../helpers/with-pull.ts"
import { ADA, ADA_DM, BEN, BEN_DM, DOCS, type Mishap, RANDOM } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

/** Makes Slack refuse the next post in a thread. */
function refuseReply(h: Bed, error: string) {
  const matching = ({ thread_ts }: Record<string, unknown>) => thread_ts !== undefined
  return h.slack.fail({ kind: "error", error, method: "chat.postMessage", times: 1, matching })
}

/** Permissions of a bot that may not read its channels. */
const UNREADING = Object.keys(SCOPES).filter((scope) => !scope.endsWith(":history"))

test.each([
  ["is found", Object.keys(SCOPES), 1],
  ["is posted again where the bot may not read its channels", UNREADING, 2],
])("a card whose post was never answered %s, as cancelled meanwhile", async (_, scopes, cards) => {
  const h = await testBed({ slack: { scopes } })
  // The job can't start until the bot finds its card.
  h.slack.fail({ kind: "reset", when: "after", method: "chat.postMessage", times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "take me back")
  await h.slack.as(ADA).click(await h.slack.until(() => h.botMessages()[0]), "cancel")
  await h.botSays(/Cancelled before it started/)
  expect(h.botMessages()).toHaveLength(cards)
  expect(h.docs.creations).toEqual([])
})

test("FOL-4: a card in doubt is found, although Slack limits what its next request needs first", async () => {
  const tries = { ...FAST_TIMING.tries, lookUpAgainMs: 60_000 }
  const h = await testBed({ timing: { ...FAST_TIMING, tries } })
  h.slack.fail({ kind: "reset", when: "after", method: "chat.postMessage", times: 1 })
  const { say } = await h.startThread()
  await h.slack.until(() => h.botMessages()[0])
  const limit = h.slack.fail({ kind: "rate_limited", method: "users.info", times: 1 })
  await say("and shorten it")
  await expect.poll(() => limit.hits).toBe(1)
  await h.hasten("outbox")
  await h.docsUntil(({ creations }) => creations.length > 0)
  expect(h.botMessages()).toHaveLength(1)
})

test("FOL-16: a closing reply whose blocks Slack refuses is posted in words, in its thread, once Slack takes posts again", async (h) => {
  h.docs.planAll(READY)
  const method = "chat.postMessage"
  const isReply = ({ thread_ts }: Record<string, unknown>) => thread_ts !== undefined
  const hasBlocks = (post: Record<string, unknown>) =>
    isReply(post) && JSON.stringify(post.blocks) !== "[]"
  h.slack.fail({ kind: "error", error: "invalid_blocks", method, matching: hasBlocks })
  const late = { kind: "rate_limited", retryAfter: 3600, matching: isReply } as const
  const limit = h.slack.fail({ ...late, method, times: 1 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write a guide")
  const { redis } = h.services.work.store
  const due = async () =>
    Number((await redis.zrange(jobKeys.schedule("outbox"), "0", "0", "WITHSCORES"))[1])
  await expect.poll(async () => (await due()) - Date.now()).toBeGreaterThan(3_500_000)
  expect(limit.hits).toBe(1)
  await h.hasten("outbox")
  const reply = await h.closingReply()
  expect(reply).toMatchObject({ blocks: [], text: expect.stringMatching(/pull request is ready/) })
})

test.each([
  ["its blocks and then its words", ["invalid_blocks", "channel_not_found"]],
  ["all of it", ["is_archived"]],
  // "Cannot post replies to a thread that has been locked by admins".
  ["a reply in that thread", ["restricted_action_thread_locked"]],
])(
  "a closing reply of which Slack refuses %s is told directly, without an invitation to change it there",
  async (_, errors) => {
    const h = await testBed({ plan: READY })
    for (const error of errors) refuseReply(h, error)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write a guide")
    const told = await h.botSays(/pull request is ready/, { channel: ADA_DM })
    expect(told.text).toContain("Written by AI")
    expect(told.text).not.toMatch(/mention me|To change it/)
    await h.botSays(/request ready/)
    expect(h.slack.channel(ADA_DM).messages()).toHaveLength(1)
  },
)

test("a failure that was told directly, its channel being archived, can be edited and run again there", async (h) => {
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  refuseReply(h, "is_archived")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write a guide")
  const told = await h.botSays(/couldn't finish/, { channel: ADA_DM })
  await h.slack.as(ADA).click(told, "edit_and_run")
  await h.slack.as(ADA).submitModal({ prompt: "write a short guide" })
  await h.botSays(/requested a docs change: write a short guide/, { channel: ADA_DM })
  await h.docsUntil(({ creations }) => creations.length === 2)
})

test("a card that Slack refuses in the bot's own direct message is told there, to stay", async (h) => {
  const refused = { kind: "error", error: "restricted_action", times: 1 } as const
  h.slack.fail({ ...refused, method: "chat.postMessage" })
  await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "write a guide")
  await h.botSays(/can't post in this conversation/, { channel: ADA_DM })
})

test("a refusal that somebody got twice, because Slack didn't confirm it, starts one job", async (h) => {
  h.slack.fail({ kind: "error", error: "expired_url", method: "response_url", times: 1 })
  const toAda = ({ channel }: { channel?: unknown }) => channel === ADA
  const fault = { kind: "reset", when: "after", method: "chat.postMessage", times: 1 } as const
  const broken = h.slack.fail({ ...fault, matching: toAda })
  await h.slack.as(ADA).slash(RANDOM, "/docs-agent", "fix it here")
  await expect.poll(() => broken.hits).toBe(1)
  await h.hasten("outbox")
  const again = await h.toldPrivately(ADA, /can't post/)
  const direct = await h.botSays(/can't post/, { channel: ADA_DM })
  for (const refusal of [again, direct]) await h.slack.as(ADA).click(refusal, "run_in_direct")
  await h.docsUntil(({ creations }) => creations.length > 0)
  await h.bot.worker?.passes.outbox?.()
  expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(2)
})

test("a closing reply that one of two people gets late reaches each of them once", async (h) => {
  h.docs.planAll({ ending: "never", afterMs: 0, followUp: { ending: "pull_request", afterMs: 0 } })
  const { say, says } = await h.startThread()
  await says(/Working on it/)
  const isUpdate = ({ text, thread_ts }: Record<string, unknown>) =>
    thread_ts !== undefined && /Updated/.test(String(text))
  const post = { method: "chat.postMessage" } as const
  h.slack.fail({ ...post, kind: "error", error: "channel_not_found", matching: isUpdate })
  const late = { ...post, matching: ({ channel }: { channel?: unknown }) => channel === BEN }
  const held = h.slack.fail({ ...late, kind: "rate_limited", times: 1 })
  for (const user of [ADA, BEN]) await say("and shorten it", user)
  h.finish("pull_request")
  await expect.poll(() => held.hits).toBe(1)
  await h.hasten("outbox")
  await h.botSays(/Updated/, { channel: BEN_DM })
  for (const dm of [ADA_DM, BEN_DM]) expect(h.slack.channel(dm).messages()).toHaveLength(1)
})

test("a card that Slack refuses without saying for how long comes half a minute later", async (h) => {
  const refusal = h.slack.fail({ kind: "rate_limited", method: "chat.postMessage", times: 1 })

  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "have some patience")

  await expect.poll(() => refusal.hits).toBe(1)
  await h.hasten("outbox")
  await h.botSays(/Working on it/)
  expect(h.botMessages()).toHaveLength(1)
  // A refused post is certainly not in Slack, so the bot need not search the channel for it.
  expect(h.slack.calls.filter(({ args }) => args.include_all_metadata !== undefined)).toEqual([])
})

test.each<[outcome: string, mishap: Mishap, others: number]>([
  ["had arrived is looked up, and not said twice", { kind: "reset", when: "after" }, 0],
  ["had arrived behind 200 replies is found on page two", { kind: "reset", when: "after" }, 200],
  ["had not arrived is said after all", { kind: "reset", when: "before" }, 0],
  ["got an answer without a time is, too", { kind: "status", status: 200, body: '{"ok":true}' }, 0],
])("FOL-17: a closing reply whose post broke off and %s", async (_, mishap, others) => {
  const h = await testBed()
  const matching = ({ thread_ts }: { thread_ts?: unknown }) => thread_ts !== undefined
  const broken = h.slack.fail({ ...mishap, method: "chat.postMessage", matching, times: 1 })

  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "say it once")
  const { ts: thread } = await h.botSays(/Working on it/)
  for (let n = 0; n < others; n += 1) await h.slack.as(BEN).post(DOCS, `reply ${n}`, { thread })
  h.finish("pull_request")
  await h.hasten("outbox")

  // The card's last edit comes when the bot has found the closing reply.
  const ready = /request (is )?ready/
  const card = await cardSays(h, ready)
  expect(broken.hits).toBe(1)
  const replies = h.slack.thread(DOCS, card.ts).slice(1 + others)
  expect(replies.map(({ text }) => text)).toEqual([expect.stringMatching(ready)])
})

const redis = useRedis()
afterEach(() => void vi.useRealTimers())

test.each([
  ["before it is drawn", "labelOf"],
  ["while Slack is asked whether it has it", "find"],
])("FOL-17: no post is begun late in a lease, %s: it comes with the next one", async (_, where) => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const posted: string[] = []
  let heldUpMs = 20_000
  // Simulates a process that stalls for more than half of the lease.
  const stall = <Answer>(answer: Answer) => {
    vi.setSystemTime(Date.now() + heldUpMs)
    return answer
  }
  const post = async ({ channel }: { channel: string }) => {
    posted.push(channel)
    return { ts: "1.1", channel }
  }
  const slow =
    where === "find" ? { find: () => stall("absent") } : { labelOf: () => stall(undefined) }
  const { jobs, ask, pass } = openDelivery(redis(), post, slow)
  const id = await ask("U1")
  await jobs.change(id, () => ({ set: { posting: "card" } }))

  await pass()
  expect(posted).toEqual([])

  heldUpMs = 0
  await pass()
  expect(posted).toEqual(["C1"])
})

test("a card that fails is tried again soon, then every quarter of an hour, and is given up in hours", async () => {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const tried: number[] = []
  const post = async () => {
    tried.push(clock.now)
    throw new Error("a bug")
  }
  const events = { deliveryFailed() {} }
  const { jobs, ask, pass } = openDelivery(redis(), post, { events }, () => clock.now)
  const id = await ask("U1")
  while ((await jobs.find(id))?.job.state === "queued") clock.now += await pass()
  const waits = tried.slice(1).map((at, n) => (at - (tried[n] ?? 0)) / 60_000)
  expect(waits[0]).toBeLessThan(1)
  expect(Math.max(...waits)).toBeLessThanOrEqual(15)
  const minutes = waits.reduce((sum, wait) => sum + wait, 0)
  expect(minutes).toBeGreaterThan(60)
  expect(minutes).toBeLessThan(240)
})
