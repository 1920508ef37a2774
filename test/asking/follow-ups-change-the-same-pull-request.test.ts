import { expect, test } from "vitest"
import { HOUR_MS } from "../../src/lib/time.ts"
import { updated, useAnswered } from "../helpers/answered.ts"
import { botMessages, botSays, buttonsOf, docsUntil } from "../helpers/reading.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

const { answered } = useAnswered()

const ONE_AN_HOUR = { env: { JOBS_PER_HOUR: "1", RESERVED_SLOTS: "0" } }

/** Returns the text of all messages that the service accepted, over all its jobs. */
function messages({ docs }: TestBed): string[] {
  return docs
    .jobs("docs-site")
    .flatMap((job) => job.messages)
    .toSorted((a, b) => a.at - b.at)
    .map(({ prompt }) => prompt)
}

const cards = (h: TestBed) =>
  botMessages(h.slack).filter(({ text }) => /requested a docs change/.test(text))
const requests = ({ docs }: TestBed, kind: string) =>
  docs.requests.filter((request) => request.kind === kind)

test("ASK-15, ASK-16, FOL-5: a follow-up changes the same pull request, and is a line of its one card", async () => {
  const { h, root, say } = await answered()
  await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
  await say("shorten it a bit", BEN)
  await updated(h)
  await botSays(h, new RegExp(`Pull request updated[\\s\\S]*Asked by <@${BEN}>`))
  expect(cards(h)).toHaveLength(1)
  expect(h.docs.creations).toHaveLength(1)
  const [message = "", ...others] = messages(h)
  expect(others).toEqual([])
  expect(message).toContain("> ben: new talk")
  expect(message.startsWith("shorten it a bit\n\n")).toBe(true)
  expect(message).not.toContain("write the guide")
  await say("name the limits", ADA)
  const results = () =>
    botMessages(h.slack).flatMap(
      ({ text }) => /^(<@\w+>) (Your pull request is ready|Updated)/.exec(text)?.[1] ?? [],
    )
  await h.slack.until(() => results().length === 3 || undefined)
  expect(results()).toEqual([`<@${ADA}>`, `<@${BEN}>`, `<@${ADA}>`])
  const history = `Updated · asked by <@${BEN}>\\nAsked by <@${ADA}>`
  await h.slack.until(() => cards(h).find(({ blocks }) => JSON.stringify(blocks).includes(history)))
})

test.each([404, 405] as const)(
  "a follow-up is a new job, with everything before it quoted, where messages answer %i, which is remembered for a day",
  async (absent) => {
    const { h, root, say, link } = await answered({ docs: { absent: { message: absent } } })
    await h.slack.as(BEN).post(DOCS, "new talk", { thread: root.ts })
    await say("shorten it a bit")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    const prompt = h.docs.creations[1]?.prompt ?? ""
    expect(prompt).toContain("> write the guide")
    expect(prompt).toContain(link)
    expect(prompt).toContain("> ben: new talk")
    expect(prompt.startsWith("shorten it a bit\n\n")).toBe(true)
    await h.slack.until((s) => {
      const told = botMessages(s).filter(({ text }) => /request is ready/.test(text))
      return told.length === 2 || undefined
    })
    const sayLater = async (words: string, ms: number, jobs: number) => {
      await letExpire(h.services.requestRedis, ms)
      await say(words)
      await docsUntil(h, (docs) => docs.creations.length === jobs)
    }
    await sayLater("one example more", 23 * HOUR_MS, 3)
    expect(requests(h, "message")).toHaveLength(1)
    await sayLater("and a third example", HOUR_MS, 4)
    expect(requests(h, "message")).toHaveLength(2)
  },
)

test("ASK-20: where the service knows the job no longer, its follow-up is a new job, and the next one a message again", async () => {
  const { h, root, say } = await answered()
  for (const kind of ["message", "get"] as const)
    h.docs.fail({ type: "status", status: 404, kind, times: 1 })
  await say("shorten it a bit")
  await docsUntil(h, (docs) => docs.creations.length === 2)
  const results = () => botMessages(h.slack).filter(({ text }) => /request is ready/.test(text))
  await h.slack.until(() => results().length === 2)
  await say("one example more")
  await botSays(h, /Updated/, { thread: root.ts })
  expect(requests(h, "message")).toHaveLength(2)
})

test("LIM-13: messages take no slot of the hour of jobs, and have an hour of the same size", async () => {
  const { h, say, job } = await answered(ONE_AN_HOUR)
  await say("the first one")
  await docsUntil(h, (docs) => docs.job(job.id)?.messages.length === 1)
  await updated(h)
  await say("the second one")
  const card = await botSays(h, /next in line/)
  expect(buttonsOf(card)).toContain("cancel")
  await say("cancel")
  await botSays(h, /requested a docs change[\s\S]*Pull request/)
  expect(messages(h)).toHaveLength(1)
})
