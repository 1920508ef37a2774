import { describe, expect, test } from "vitest"
import { visitorsKeys } from "../../../src/redis/visitors-keys.ts"
import type { Subscription } from "../../../src/visitors/digests/ports.ts"
import type { Rhythm } from "../../../src/visitors/digests/rhythm.ts"
import { ACCOUNT, NOON, PROJECT, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { tableIn, typesIn, wordsIn } from "../../helpers/visitors-blocks.ts"
import { ADA, ADA_DM, DOCS, EDITORS, OLD_DOCS, RANDOM, TEAM } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const at = (iso: string) => Date.parse(iso)
const DAILY: Rhythm = { every: "daily", hour: 9, minute: 0 }

const digests = ({ slack }: VisitorsBot, channel = DOCS) =>
  slack
    .channel(channel)
    .messages()
    .filter(({ text }) => text.startsWith("Docs visitors,"))

const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  team: TEAM,
  channel: DOCS,
  project: PROJECT,
  user: ADA,
  zone: "Europe/Berlin",
  rhythm: DAILY,
  dueAt: NOON + 60_000,
  ...more,
})

/** Every process looks twice. */
async function pass(...processes: Pick<VisitorsBot, "digests">[]): Promise<void> {
  await Promise.all(processes.map((one) => one.digests()))
  await Promise.all(processes.map((one) => one.digests()))
}

describe("a digest", () => {
  test("comes when it is due, with the service's numbers and without controls", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription())
    await pass(bot)
    expect(digests(bot)).toEqual([])
    bot.clock.now = NOON + 60_000
    await pass(bot)
    const [digest] = digests(bot)
    if (!digest) throw new Error("No digest came")
    const { totals } = bot.docs.truth(PROJECT, "2026-11-19", "2026-11-20")
    expect(digest.text).toContain(`People ${totals.human.toLocaleString("en-US")} (`)
    expect(tableIn(digest)).toHaveLength(5)
    expect(typesIn(digest)).not.toContain("actions")
    expect(wordsIn(digest)).toContain("Daily digest")
    expect(wordsIn(digest)).not.toContain("<@")
  })

  test("comes once from five processes", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    await pass(bot, bot.another(), bot.another(), bot.another(), bot.another())
    expect(digests(bot)).toHaveLength(1)
  })

  test("comes once after nine days without a process, and then as usual", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: at("2026-11-21T08:00Z") }))
    bot.clock.now = at("2026-11-29T20:00Z")
    await pass(bot, bot.another())
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
    expect(digests(bot)[0]?.text).toContain("28 Nov 2026")
    bot.clock.now = at("2026-11-30T07:59Z")
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
    bot.clock.now = at("2026-11-30T08:00Z")
    await pass(bot)
    expect(digests(bot)).toHaveLength(2)
  })

  test.each([
    ["Europe/Berlin", "2026-10-24T07:00Z", ["2026-10-25T08:00Z", "2026-10-26T08:00Z"]],
    ["America/New_York", "2026-10-31T13:00Z", ["2026-11-01T14:00Z", "2026-11-02T14:00Z"]],
  ])("stays at nine in %s when the clocks change", async (zone, first, next) => {
    const bot = await desk()
    bot.clock.now = at(first)
    await bot.deps.subscriptions.save(subscription({ zone, dueAt: at(first) }))
    await pass(bot)
    for (const [n, due] of next.entries()) {
      bot.clock.now = at(due) - 1
      await pass(bot)
      expect(digests(bot)).toHaveLength(n + 1)
      bot.clock.now = at(due)
      await pass(bot)
      expect(digests(bot)).toHaveLength(n + 2)
    }
  })

  test("falls back to text where the workspace takes neither charts nor tables", async () => {
    const bot = await desk({ slack: { refuse: { charts: true, tables: true } } })
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })
})

describe("a digest that meets trouble", () => {
  test.each([
    [OLD_DOCS, "archived"],
    [RANDOM, "without the bot"],
    ["C0GONE0001", "gone"],
  ])("in a channel that is %s ends, and tells the subscriber", async (channel) => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ channel, dueAt: NOON }))
    await pass(bot)
    expect(await bot.deps.subscriptions.nextDue()).toBeUndefined()
    const [told, ...more] = bot.slack.channel(ADA_DM).messages()
    expect(told?.text).toContain(`The daily visitor digest in <#${channel}> has stopped`)
    expect(more).toEqual([])
  })

  test("waits for the service, and comes when it is back", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    const fault = bot.docs.fail({ type: "status", status: 503, kind: "visitors" })
    await pass(bot)
    fault.clear()
    bot.clock.now += 5 * 60_000 - 1
    await pass(bot)
    expect(digests(bot)).toEqual([])
    bot.clock.now += 1
    // The failure is remembered for a moment of real time, for those who ask right after it.
    await bot.redis.del(...(await bot.redis.keys("{da}:v:r:*:failed")))
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })

  test("is left out after hours without numbers, the subscriber is told, and the next one comes", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON, zone: "UTC" }))
    const fault = bot.docs.fail({ type: "expired_key", kind: "visitors" })
    for (let n = 0; n < 60; n++) {
      await pass(bot)
      bot.clock.now += 5 * 60_000
    }
    const [told, ...more] = bot.slack.channel(ADA_DM).messages()
    expect(told?.text).toContain("the service rejected the API key")
    expect(more).toEqual([])
    fault.clear()
    await bot.redis.del(...(await bot.redis.keys("{da}:v:r:*:failed")))
    bot.clock.now = at("2026-11-21T09:00Z")
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })

  test("of a kind that nobody expected is left out one day, the subscriber is told, and the next one comes", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON, zone: "UTC" }))
    const hour = visitorsKeys.hour(ACCOUNT)
    const stop = bot.docs.subscribe((event) => {
      // Changed by hand in the middle of an attempt, and mended before the next one.
      if (event.type === "request") void bot.redis.multi().del(hour).set(hour, "a text").exec()
    })
    for (let n = 0; n < 60; n++) {
      await bot.redis.del(hour)
      await bot.digests().catch(() => {})
      bot.clock.now += 5 * 60_000
    }
    const [told, ...more] = bot.slack.channel(ADA_DM).messages()
    expect(told?.text).toContain("something went wrong on my side")
    expect(more).toEqual([])
    stop()
    await bot.redis.del(hour)
    bot.clock.now = at("2026-11-21T09:00Z")
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })

  test("is looked for before it is posted again when Slack's answer got lost", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ channel: EDITORS, dueAt: NOON }))
    bot.slack.fail({ method: "chat.postMessage", kind: "reset", when: "after", times: 1 })
    await pass(bot)
    bot.clock.now += 10 * 60_000
    await pass(bot)
    expect(digests(bot, EDITORS)).toHaveLength(1)
  })

  test("is posted after all when the lost request never arrived", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    bot.slack.fail({ method: "chat.postMessage", kind: "reset", when: "before", times: 1 })
    await pass(bot)
    expect(digests(bot)).toEqual([])
    bot.clock.now += 10 * 60_000
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })

  test.each([
    ["5xx", { kind: "status", status: 503 }],
    ["a limit", { kind: "rate_limited", retryAfter: 1 }],
    ["no answer", { kind: "reset", when: "before" }],
  ] as const)("is looked for again where Slack answers the look with %s", async (_, mishap) => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    const post = { method: "chat.postMessage", kind: "reset", when: "before", times: 1 } as const
    bot.slack.fail(post)
    await pass(bot)
    const look = bot.slack.fail({ method: "conversations.history", ...mishap, times: 1 })
    bot.clock.now += 10 * 60_000
    await pass(bot)
    expect(look.hits).toBe(1)
    expect(digests(bot)).toEqual([])
    bot.clock.now += 10 * 60_000
    await pass(bot)
    expect(digests(bot)).toHaveLength(1)
  })

  test("of a process that died goes on in another one", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    const dead = await bot.deps.subscriptions.claim(300_000)
    expect(dead).toBeDefined()
    await pass(bot.another())
    expect(digests(bot)).toEqual([])
    bot.clock.now += 300_000
    await pass(bot.another())
    expect(digests(bot)).toHaveLength(1)
    expect(dead && (await bot.deps.subscriptions.posting(dead))).toBe(false)
  })

  test("is not posted when somebody unsubscribes while it is made", async () => {
    const bot = await desk()
    await bot.deps.subscriptions.save(subscription({ dueAt: NOON }))
    bot.docs.fail({ type: "delay", ms: 200, kind: "visitors", times: 1 })
    const running = bot.digests()
    await new Promise<void>((resolve) => bot.docs.subscribe(() => resolve()))
    await bot.deps.subscriptions.remove(TEAM, DOCS, "daily")
    await running
    expect(digests(bot)).toEqual([])
  })
})
