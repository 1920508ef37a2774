import { expect } from "vitest"
import { startSeparately } from "../../src/asking/act-on-job.ts"
import { choosePull } from "../../src/asking/follow-ups.ts"
import type { Round } from "../../src/jobs/round-record.ts"
import { aJob, anAsk, aRound } from "../helpers/job.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { cardOfWaiting } from "../helpers/talk.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

test("ASK-20: follow-ups that become a new job stay the requests of those who asked", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await h.slack.until(() => h.docs.creations.length === 1 || undefined)
  await h.slack.as(BEN).mention(DOCS, "also shorten the intro", { thread: root.ts })
  await h.slack.as(ADA).mention(DOCS, "and fix the links", { thread: root.ts })
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  const ready = /^(.*) Your pull request is ready/
  const told = () => botMessages(h.slack).flatMap(({ text }) => ready.exec(text)?.[1] ?? [])
  await h.slack.until(() => told().length === 2 || undefined)
  expect(told()).toEqual([`<@${ADA}>`, `<@${BEN}> and <@${ADA}>`])
  expect(h.docs.creations).toHaveLength(2)
  expect(h.docs.creations[1]?.prompt).toMatch(
    /^also shorten the intro\n\(asked by ben\)\n\nada also asked:\nand fix the links/,
  )
})

test("ASK-18: Start separately in the moment in which the round ends puts no request into two jobs", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await docsUntil(h, (docs) => docs.creations.length === 1)
  await h.slack.as(BEN).mention(DOCS, "also shorten the intro", { thread: root.ts })
  await h.slack.as(CLEO).mention(DOCS, "and fix the links", { thread: root.ts })
  const { front } = h.services
  const [seen] = await front.jobs.ofUser(BEN, 1)
  const ask = seen?.job.waiting.find(({ user }) => user === BEN)
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  // The click has read the job as it was before.
  const late = { ...front, jobs: { ...front.jobs, find: async () => seen } }
  const click = { job: seen?.job.id ?? "", ask: ask?.id, user: BEN }
  expect((await startSeparately(late, click)).result).toBe("not_now")
  expect(await front.jobs.ofUser(BEN, 5)).toHaveLength(2)
})

test("who has muted the thread is not mentioned because their follow-up became a new job", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await docsUntil(h, ({ creations }) => creations.length === 1)
  await h.slack.as(BEN).mention(DOCS, "also shorten the intro", { thread: root.ts })
  await h.slack.as(BEN).mention(DOCS, "mute", { thread: root.ts })
  await toldPrivately(h, BEN, /mention you/)
  h.docs.planAll({ ending: "failed", afterMs: 20 })
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await h.slack.until((s) => botMessages(s).find(({ text }) => /couldn't finish/.test(text)))
  await h.bot.worker?.passes.outbox?.()
  const replies = botMessages(h.slack).filter(({ text }) => text.startsWith(`<@${BEN}> The agent`))
  expect(replies).toEqual([])
})

test("ASK-17: follow-ups wait by their first words, each with *Cancel*, and `cancel` takes the newest of mine and says which", async (h) => {
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Working on it/, { thread: root.ts })
  const say = (words: string, user = BEN) =>
    h.slack.as(user).mention(DOCS, words, { thread: root.ts })
  const asked = ["add an example", "name the limits too", "add a picture of it"]
  for (const words of asked) await say(words)
  const waits = (words: string) => JSON.stringify(botMessages(h.slack)[0]?.blocks).includes(words)
  await h.slack.until(() => asked.every((words) => waits(`waiting: “${words}”`)))
  const [card] = botMessages(h.slack)
  if (!card) throw new Error("There is no card")
  await h.slack.as(BEN).click(card, "cancel", { index: 1 })
  await h.slack.until(() => asked.map(waits).join() === "true,false,true")
  await say("cancel")
  await toldPrivately(h, BEN, /^Cancelled: “add a picture of it”$/)
  await h.slack.until(() => !waits("add a picture of it") && waits("add an example"))
  const { shown } = await h.slack.as(BEN).slash(DOCS, "/docs-agent", "cancel")
  expect(shown?.text).toBe("Cancelled: “add an example”")
  expect((await h.slack.as(BEN).slash(DOCS, "/docs-agent", "cancel")).shown?.text).toBe(
    "Nothing to cancel: none of your requests is waiting.",
  )
})

test("a follow-up that starts separately has the thread as context, and continues nothing", async (h) => {
  const root = await h.slack.as(CLEO).post(DOCS, "keys last 90 days")
  await h.slack.as(BEN).mention(DOCS, "write the guide", { thread: root.ts })
  const card = await cardOfWaiting(h, BEN, root, "fix the footer too")
  await h.slack.as(BEN).click(card, "start_separately")
  await docsUntil(h, ({ creations }) => creations.length === 2)
  expect(h.docs.creations[1]?.prompt).toMatch(
    /^fix the footer too\n[\s\S]*> cleo: keys last 90 days$/,
  )
  expect(h.docs.creations[1]?.prompt).not.toMatch(/continues|write the guide/)
})

test("ASK-19: with two pull requests a follow-up changes the speaker's own, and a third speaker is asked", async (h) => {
  h.docs.planAll({ ending: "never", afterMs: 0, followUp: { ending: "pull_request", afterMs: 0 } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const say = (user: string, words: string) =>
    h.slack.as(user).mention(DOCS, words, { thread: root.ts })
  const card = await cardOfWaiting(h, BEN, root, "fix the footer too")
  await h.slack.as(BEN).click(card, "start_separately")
  await docsUntil(h, ({ creations }) => creations.length === 2)
  const [first = "", second = ""] = h.docs.creations.map(({ jobId }) => jobId)
  const heard = (id: string) => h.docs.job(id)?.messages.map(({ prompt }) => prompt.split("\n")[0])
  for (const [id, user] of [
    [second, BEN],
    [first, ADA],
  ] as const) {
    h.docs.finish(id, "pull_request")
    await botSays(h, new RegExp(`^<@${user}> Your pull request is ready`), { thread: root.ts })
  }
  await say(BEN, "make it shorter please")
  await docsUntil(h, () => heard(second)?.length === 1)
  await say(ADA, "add one example more")
  await docsUntil(h, () => heard(first)?.length === 1)
  await say(CLEO, "say it in french please")
  const asked = await toldPrivately(h, CLEO, /^Which pull request should this change\?/)
  await h.slack.as(CLEO).click(asked, "acme/docs#214")
  const told = [["make it shorter please"], ["add one example more", "say it in french please"]]
  await docsUntil(h, () => (heard(first)?.length ?? 0) + (heard(second)?.length ?? 0) === 3)
  expect([heard(second), heard(first)]).toEqual(told)
})

test("ASK-19: of several open pull requests of one person, a follow-up changes the one whose reply to them is last", () => {
  const round = (id: string, ts: string, user: string) =>
    aRound({ id, asks: [anAsk({ id, user })], told: { ts, users: [user], hash: "" } })
  const replied = (id: string, ts: string, ...rounds: Round[]) =>
    aJob({ id, state: "ended", rounds: [round(id, ts, "U1"), ...rounds], ending: "pull_request" })
  const updated = replied("updated", "1700000009.0")
  const newer = replied("newer", "1700000005.0", round("theirs", "1700000010.0", "U2"))
  expect(choosePull([newer, updated], "U1")).toBe(updated)
})

test("ASK-17: a follow-up to a finished request waits by its first words, too", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /request ready/, { thread: root.ts })
  h.docs.fail({ type: "rate_limited", kind: "message", retryAfter: 60 })
  await h.slack.as(BEN).mention(DOCS, "name the limits too", { thread: root.ts })
  await botSays(h, /Waiting for the hourly limit[\s\S]*asked by .*: “name the limits too”/)
})
