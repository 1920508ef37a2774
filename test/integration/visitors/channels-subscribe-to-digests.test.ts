import { expect, test } from "vitest"
import { NOON, useVisitorsBot, type VisitorsBot } from "../../helpers/visitors.ts"
import { ADA, BEN, DOCS, RANDOM, TEAM } from "../../sandbox/slack/seed/ids.ts"

const desk = useVisitorsBot()
const DAY_MS = 86_400_000
const at = (iso: string) => Date.parse(iso)

/** Types commands, and waits until each is done. */
async function type(bot: VisitorsBot, user: string, ...commands: string[]): Promise<void> {
  for (const words of commands) {
    await bot.slack.as(user).slash(DOCS, "/docs-visitors", words)
    await bot.settled()
  }
}

test("subscribing is said in the channel, with the time on the subscriber's clock", async () => {
  const bot = await desk()
  await type(bot, ADA, "subscribe weekly at 08:30")
  const [said] = bot.slack.channel(DOCS).messages()
  expect(said?.text).toContain(`<@${ADA}> subscribed this channel`)
  expect(said?.text).toContain("every Monday at 8:30 AM (Europe/Paris)")
  const listed = await bot.ask(BEN, DOCS, "subscriptions")
  expect(listed.text).toContain("• weekly, every Monday at 8:30 AM (Europe/Paris)")
  expect(await bot.deps.subscriptions.nextDue()).toBe(at("2026-11-23T07:30Z") - NOON)
})

test("subscribing again replaces the time, and other rhythms stand beside it", async () => {
  const bot = await desk()
  await type(bot, ADA, "subscribe weekly 08:00", "subscribe weekly 10:00", "subscribe daily")
  const kept = await bot.deps.subscriptions.ofChannel(TEAM, DOCS)
  expect(kept.map(({ rhythm }) => `${rhythm.every} ${rhythm.hour}`)).toEqual([
    "daily 9",
    "weekly 10",
  ])
})

test("subscribing again without a change tells who typed it, and nobody else", async () => {
  const bot = await desk()
  await type(bot, ADA, "subscribe weekly 08:00")
  const before = bot.slack.channel(DOCS).messages().length
  const answer = await bot.ask(ADA, DOCS, "subscribe weekly at 8:00")
  expect(answer.text).toMatch(/^This channel already gets that weekly visitor digest\. Next one: /)
  expect(bot.slack.channel(DOCS).messages()).toHaveLength(before)
  await type(bot, ADA, "subscribe weekly gaps at 08:00")
  expect(bot.slack.channel(DOCS).messages()).toHaveLength(before + 1)
})

test("subscribing where the bot may not post is refused at once", async () => {
  const bot = await desk()
  expect((await bot.ask(ADA, RANDOM, "subscribe daily")).text).toContain("`/invite @Docs Agent`")
  expect(await bot.deps.subscriptions.ofChannel(TEAM, RANDOM)).toEqual([])
})

test("unsubscribing ends it for one rhythm or for all, and nothing comes any more", async () => {
  const bot = await desk()
  await type(bot, ADA, "subscribe daily", "subscribe weekly", "unsubscribe weekly")
  expect(await bot.deps.subscriptions.ofChannel(TEAM, DOCS)).toHaveLength(1)
  await type(bot, BEN, "unsubscribe")
  expect(bot.slack.channel(DOCS).messages().at(-1)?.text).toContain(
    "stopped the daily visitor digest",
  )
  expect((await bot.ask(ADA, DOCS, "unsubscribe")).text).toContain("has no digest")
  expect((await bot.ask(ADA, DOCS, "subscriptions")).text).toContain("has no digest")
  bot.clock.now += 10 * DAY_MS
  const messages = bot.slack.channel(DOCS).messages().length
  await bot.digests()
  expect(bot.slack.channel(DOCS).messages()).toHaveLength(messages)
})
