import { expect } from "vitest"
import { startSeparately } from "../../src/asking/act-on-job.ts"
import { choosePull } from "../../src/asking/follow-ups.ts"
import type { Round } from "../../src/jobs/round-record.ts"
import { DAY_MS, HOUR_MS } from "../../src/lib/time.ts"
import { useAnswered } from "../helpers/answered.ts"
import { ask } from "../helpers/asked.ts"
import { aJob, anAsk, aRound } from "../helpers/job.ts"
import { type Bed, READY } from "../helpers/test-bed.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed, answered } = useAnswered()

/** Returns the text of all messages that the service accepted, over all its jobs. */
function messages({ docs }: Bed): string[] {
  return docs
    .jobs("docs-site")
    .flatMap((job) => job.messages)
    .toSorted((a, b) => a.at - b.at)
    .map(({ prompt }) => prompt)
}

const cards = (h: Bed) => h.botMessages().filter(({ text }) => /requested a docs change/.test(text))
const requests = ({ docs }: Bed, kind: string) =>
  docs.requests.filter((request) => request.kind === kind)

test("ASK-15, ASK-16, FOL-5: a follow-up changes the same pull request, also weeks later without a GitHub token, and is a line of its one card", async () => {
  const { h, root, say } = await answered()
  await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
  await say("shorten it a bit", BEN)
  await h.botSays(/Updated/)
  await h.botSays(new RegExp(`Pull request updated[\\s\\S]*Asked by <@${BEN}>`))
  expect(cards(h)).toHaveLength(1)
  expect(h.docs.creations).toHaveLength(1)
  const [message = "", ...others] = messages(h)
  expect(others).toEqual([])
  expect(message).toContain("> ben: new talk")
  expect(message.startsWith("shorten it a bit\n\n")).toBe(true)
  expect(message).not.toContain("write the guide")
  await say("name the limits", ADA)
  const result = /^(<@\w+>) (Your pull request is ready|Updated)/
  const results = () => h.botMessages().flatMap(({ text }) => result.exec(text)?.[1] ?? [])
  await h.slack.until(() => results().length === 3 || undefined)
  expect(results()).toEqual([`<@${ADA}>`, `<@${BEN}>`, `<@${ADA}>`])
  const history = `Updated · asked by <@${BEN}>\\nAsked by <@${ADA}>`
  await h.botShows(history)
  await letExpire(h.services.workerRedis, 20 * DAY_MS)
  await say("add one example more")
  await h.docsUntil(() => messages(h).length === 3)
  expect(h.docs.creations).toHaveLength(1)
})

test("ASK-20: a follow-up is a new job, with everything before it quoted, where the service takes no messages, which is remembered for a day", async () => {
  const { h, root, say, link } = await answered({ docs: { absent: { message: 405 } } })
  await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
  await say("shorten it a bit")
  const [, prompt = ""] = await h.promptsSent(2)
  expect(prompt).toContain("> write the guide")
  expect(prompt).toContain(link)
  expect(prompt).toContain("> ben: new talk")
  expect(prompt.startsWith("shorten it a bit\n\n")).toBe(true)
  await h.botSaysTimes(2, /request is ready/)
  const sayLater = async (words: string, ms: number, jobs: number) => {
    await letExpire(h.services.requestRedis, ms)
    await say(words)
    await h.docsUntil((docs) => docs.creations.length === jobs)
  }
  await sayLater("one example more", 23 * HOUR_MS, 3)
  expect(requests(h, "message")).toHaveLength(1)
  await sayLater("and a third example", HOUR_MS, 4)
  expect(requests(h, "message")).toHaveLength(2)
})

test("ASK-20: where the service knows the job no longer, its follow-up is a new job, and the next one a message again", async () => {
  const { h, root, say } = await answered()
  for (const kind of ["message", "get"] as const)
    h.docs.fail({ type: "status", status: 404, kind, times: 1 })
  await say("shorten it a bit")
  await h.docsUntil((docs) => docs.creations.length === 2)
  await h.botSaysTimes(2, /request is ready/)
  await say("one example more")
  await h.botSays(/Updated/, { thread: root.ts })
  expect(requests(h, "message")).toHaveLength(2)
})

test("LIM-13, ASK-17: messages take no slot of the hour of jobs, and wait by their first words for an hour of the same size", async () => {
  const { h, say, job } = await answered({ env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } })
  await say("the first one")
  await h.docsUntil((docs) => docs.job(job.id)?.messages.length === 1)
  await h.botSays(/Updated/)
  await say("the second one", BEN)
  const waits = /next in line[\s\S]*[Aa]sked by .*: “the second one”/
  await h.slack.as(BEN).click(await h.botSays(waits), "cancel")
  await h.botSays(/requested a docs change[\s\S]*Pull request/)
  expect(messages(h)).toHaveLength(1)
})

/** Starts a job in a thread, of a service that takes no messages. */
async function withoutMessages() {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const { say } = await h.startThread()
  await h.docsUntil(({ creations }) => creations.length === 1)
  return { h, say }
}

test("ASK-20: follow-ups that become a new job stay the requests of those who asked, of whom it mentions all who have not muted the thread", async () => {
  const { h, say } = await withoutMessages()
  await say("also shorten the intro")
  await say("and fix the links", ADA)
  await say("and add an example", CLEO)
  await say("mute", CLEO)
  await h.toldPrivately(CLEO, /mention you/)
  h.docs.planAll(READY)
  h.finish("pull_request")
  const ready = /^(.*) Your pull request is ready/
  const told = () => h.botMessages().flatMap(({ text }) => ready.exec(text)?.[1] ?? [])
  await h.slack.until(() => told().length === 2 || undefined)
  expect(told()).toEqual([`<@${ADA}>`, `<@${BEN}> and <@${ADA}>`])
  expect(h.docs.creations).toHaveLength(2)
  expect(h.docs.creations[1]?.prompt).toMatch(
    /^also shorten the intro\n\(asked by ben\)\n\nada also asked:\nand fix the links\n\ncleo also/,
  )
})

test("ASK-18: Start separately in the moment in which the round ends puts no request into two jobs", async () => {
  const { h, say } = await withoutMessages()
  await say("also shorten the intro")
  await say("and fix the links", CLEO)
  const { front } = h.services
  const [seen] = await front.jobs.ofUser(BEN)
  const ask = seen?.job.waiting.find(({ user }) => user === BEN)
  h.finish("pull_request")
  await h.docsUntil((docs) => docs.creations.length === 2)
  // The click has read the job as it was before.
  const late = { ...front, jobs: { ...front.jobs, find: async () => seen } }
  const click = { job: seen?.job.id ?? "", ask: ask?.id, user: BEN }
  expect((await startSeparately(late, click)).result).toBe("not_now")
  expect(await front.jobs.ofUser(BEN)).toHaveLength(2)
})

test("ASK-17: follow-ups wait by their first words, each with *Cancel*, and `cancel` takes the newest of mine and says which", async (h) => {
  const { say, says } = await h.startThread()
  await says(/Working on it/)
  const asked = ["add an example", "name the limits too", "add a picture of it"]
  for (const words of asked) await say(words)
  const waits = (words: string) => JSON.stringify(h.botMessages()[0]?.blocks).includes(words)
  await h.slack.until(() => asked.every((words) => waits(`waiting: “${words}”`)))
  await h.slack.as(BEN).click(await says(/Working on it/), "cancel", { index: 1 })
  await h.slack.until(() => asked.map(waits).join() === "true,false,true")
  await say("cancel")
  await h.toldPrivately(BEN, /^Cancelled: “add a picture of it”$/)
  await h.slack.until(() => !waits("add a picture of it") && waits("add an example"))
  const cancel = async () => (await ask(h, "cancel", BEN)).shown?.text
  expect(await cancel()).toBe("Cancelled: “add an example”")
  expect(await cancel()).toBe("Nothing to cancel: none of your requests is waiting.")
})

test("ASK-18, ASK-19: a follow-up that starts separately has the thread as context and continues nothing; with two pull requests the next ones change the speaker's own, and a third speaker is asked", async (h) => {
  h.docs.planAll({ ending: "never", afterMs: 0, followUp: { ending: "pull_request", afterMs: 0 } })
  const root = await h.slack.as(CLEO).post(DOCS, "keys last 90 days")
  const { say, says } = h.inThread(root.ts)
  await say("write the guide", ADA)
  const card = await h.cardOfWaiting(BEN, root, "fix the footer too")
  await h.slack.as(BEN).click(card, "start_separately")
  const [, prompt] = await h.promptsSent(2)
  expect(prompt).toMatch(/^fix the footer too\n[\s\S]*> cleo: keys last 90 days$/)
  expect(prompt).not.toMatch(/continues|write the guide/)
  const [first = "", second = ""] = h.docs.creations.map(({ jobId }) => jobId)
  const heard = (id: string) => h.docs.job(id)?.messages.map(({ prompt }) => prompt.split("\n")[0])
  h.finish("pull_request", 1)
  await says(new RegExp(`^<@${BEN}> Your pull request is ready`))
  h.finish("pull_request")
  await says(new RegExp(`^<@${ADA}> Your pull request is ready`))
  await say("make it shorter please")
  await h.docsUntil(() => heard(second)?.length === 1)
  await say("add one example more", ADA)
  await h.docsUntil(() => heard(first)?.length === 1)
  await say("say it in french please", CLEO)
  const asked = await h.toldPrivately(CLEO, /^Which pull request should this change\?/)
  await h.slack.as(CLEO).click(asked, "acme/docs#214")
  const told = [["make it shorter please"], ["add one example more", "say it in french please"]]
  await h.docsUntil(() => (heard(first)?.length ?? 0) + (heard(second)?.length ?? 0) === 3)
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
