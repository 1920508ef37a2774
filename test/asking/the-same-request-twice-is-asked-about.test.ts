import { describe, expect } from "vitest"
import { submit } from "../../src/asking/store-request.ts"
import { queueKeys } from "../../src/jobs/job-keys.ts"
import { ask, askUntil } from "../helpers/asked.ts"
import { useRedis } from "../helpers/redis.ts"
import { READY, useTestBed } from "../helpers/test-bed.ts"
import { asContext, openQueue, PROJECT } from "../helpers/waiting.ts"
import { letExpire } from "../sandbox/clock/redis-time.ts"
import type { FaultHandle } from "../sandbox/kit/fault-board.ts"
import { ADA, BEN, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
const redis = useRedis()

function idsIn(shown: unknown): string[] {
  return [...JSON.stringify(shown).matchAll(/"value":"(\w+)"/g)].map(([, id = ""]) => id)
}

describe("ASK-31: asked twice", () => {
  test("the same words within 15 minutes are asked about first; Run again runs them, as they do later", async (h) => {
    await askUntil(h, "Fix the  Quickstart", /Working on it/)
    const again = await ask(h, "fix the quickstart ")
    expect(again.shown?.text).toMatch(/made this request/)
    expect(h.docs.creations).toHaveLength(1)
    if (!again.shown) throw new Error("nothing was shown")
    await h.slack.as(ADA).click(again.shown, "run_anyway")
    await h.docsUntil((docs) => docs.creations.length === 2)
    expect((await ask(h, "fix the quickstart", BEN)).shown).toBeUndefined()
    await h.docsUntil((docs) => docs.creations.length === 3)
    await letExpire(h.services.requestRedis, 14 * 60_000)
    expect((await ask(h, "fix the quickstart")).shown?.text).toMatch(/made this request/)
    await letExpire(h.services.requestRedis, 60_000)
    expect((await ask(h, "fix the quickstart")).shown).toBeUndefined()
    await h.docsUntil((docs) => docs.creations.length === 4)
  })

  test("a follow-up that was cancelled is taken again, and only then asked about; three at once go once", async (h) => {
    const { root, say } = await h.startThread()
    const words = "and add an example"
    await h.slack.as(BEN).click(await h.cardOfWaiting(BEN, root, words), "cancel")
    await h.slack.until(() => !JSON.stringify(h.botMessages()).includes(words))
    await h.cardOfWaiting(BEN, root, words)
    expect(h.slack.ephemerals(BEN)).toEqual([])
    await say(words)
    await h.toldPrivately(BEN, /made this request/)
    await Promise.all([1, 2, 3].map(() => say("name the limits", ADA)))
    await h.slack.until((s) => s.ephemerals(ADA).length === 2)
    h.finish("pull_request")
    const sent = () => h.docs.jobs("docs-site")[0]?.messages ?? []
    await h.docsUntil(() => sent().length > 0)
    expect(sent()[0]?.prompt.match(/an example|the limits/g)).toEqual(["an example", "the limits"])
  })

  test("a follow-up that became a new job is asked about, though a name replaced a mention", async () => {
    const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
    const { say } = await h.startThread()
    await h.docsUntil((docs) => docs.creations.length === 1)
    await say("as @ben says", ADA)
    h.finish("pull_request")
    expect((await h.promptsSent(2))[1]).toMatch(/^as @ben says\n/)
    await say("as @ben says", ADA)
    await h.toldPrivately(ADA, /made this request/)
  })

  test("words that an edit replaced before they were sent are taken, and only then asked about, as are the new ones", async () => {
    const h = await testBed({ env: { START_DELAY_SECONDS: "60" }, goesOn: "requests wait" })
    const ada = h.slack.as(ADA)
    const first = await ada.mention(DOCS, "Fix the webhooks page with @ben")
    await h.botSays(/Fix the webhooks page with @ben/)
    await ada.edit(first, "@docs-agent fix the limits page with @ben")
    await h.botSays(/fix the limits page with @ben/)
    const next = await ada.mention(DOCS, "fix the webhooks page with @ben")
    await h.botSays(/fix the webhooks page with @ben/, { thread: next.ts })
    expect(h.slack.ephemerals(ADA)).toEqual([])
    for (const page of ["webhooks", "limits"]) {
      await ada.mention(DOCS, `fix the ${page} page with @ben`)
      await h.toldPrivately(ADA, new RegExp(`made this request[\\s\\S]*${page}`))
    }
  })

  test("ASK-32: one delivery never spends twice, however often Slack repeats it", async (h) => {
    h.docs.planAll(READY)
    await ask(h, "ask me only once")
    await h.slack.redeliver()
    await h.slack.redeliver()
    const posted = await h.slack.as(ADA).mention(DOCS, "mentioned once in the docs")
    const event = h.slack.deliveries.at(-1)?.delivery
    await h.slack.redeliver(event, { number: 1, reason: "http_timeout" })
    // Sends the same message with another event id.
    const inner = event?.payload.event
    if (typeof inner !== "object" || inner === null || Array.isArray(inner))
      throw new Error("no event")
    await h.slack.sendEvent(inner)
    await h.botSays(/request is ready/, { thread: posted.ts })
    const prompts = await h.promptsSent(2)
    expect(prompts.sort()).toEqual(["ask me only once", "mentioned once in the docs"])
    // The bot doesn't ask about a duplicate that the person never sent.
    expect(h.slack.ephemerals(ADA).filter(({ text }) => /made this request/.test(text))).toEqual([])
  })

  test("a question that is delivered twice spends its request once, however it is answered, and none after a no", async (h) => {
    await h.slack.as(ADA).mention(DOCS, "fix links")
    const declined = h.slack.deliveries.at(-1)?.delivery
    await h.toldPrivately(ADA, /Send this as a request/)
    for (const word of ["no", "yes"]) {
      await ask(h, word)
      await h.slack.redeliver(declined, { number: 1, reason: "http_timeout" })
    }
    expect(await h.services.front.jobs.ofUser(ADA)).toEqual([])

    const asked = await ask(h, "glossary")
    const again = await h.slack.redeliver()
    expect(idsIn(again.body)).toEqual(idsIn(asked.shown?.blocks))
    await h.slack.as(ADA).mention(DOCS, "fix typos")
    const event = h.slack.deliveries.at(-1)?.delivery
    const question = await h.toldPrivately(ADA, /fix typos/)
    await h.slack.redeliver(event, { number: 1, reason: "http_timeout" })
    await ask(h, "yes")
    await h.slack.as(ADA).click(question, "run_anyway")
    expect(await h.services.front.jobs.ofUser(ADA)).toHaveLength(1)
    await h.docsUntil((docs) => docs.creations.length === 1)
  })

  test("what the store could not take is not lost: a mention when Slack repeats it, a command in its answer", async (h) => {
    const { wait } = queueKeys(h.services.front.settings.projects.keys[0] ?? "")
    await h.services.requestRedis.set(wait, "in the way")
    const posted = await h.slack.as(ADA).mention(DOCS, "try to lose me")
    expect(posted.deliveries.map(({ ok }) => ok)).toEqual([false])
    const event = h.slack.deliveries.at(-1)?.delivery
    const { shown } = await ask(h, `fix ${"each & every page, ".repeat(100)}and the end`)
    expect(shown?.text).toMatch(/^Something went wrong\..*\nfix each/s)
    expect(JSON.stringify(shown?.blocks)).toContain("each & every page, and the end")
    await h.services.requestRedis.del(wait)
    await h.slack.redeliver(event, { number: 1, reason: "http_error" })
    await h.botSays(/Working on it/, { thread: posted.ts })
    expect(h.docs.creations).toHaveLength(1)
  })
})

test("before Slack says who the bot is, a mention is left to it to repeat, and a command durable at once", async () => {
  const faults: FaultHandle[] = []
  const unknown = { kind: "error", error: "internal_error", method: "auth.test" } as const
  const h = await testBed({ onOtherParties: ({ slack }) => void faults.push(slack.fail(unknown)) })
  const { deliveries } = await h.slack.as(ADA).mention(DOCS, "status")
  expect(deliveries.map(({ ok }) => ok)).toEqual([false])
  const event = h.slack.deliveries.at(-1)?.delivery
  expect((await ask(h, "fix it in the docs", BEN)).shown).toBeUndefined()

  for (const fault of faults) fault.clear()
  await h.slack.redeliver(event, { number: 1, reason: "http_error" })
  await h.toldPrivately(ADA, /No recent requests/)
  expect(await h.promptsSent()).toEqual(["fix it in the docs"])
})

test("ASK-32: a delivery that comes again is known as the job that has it, not as its thread's latest", async () => {
  let at = 1_000_000
  const { submitting } = openQueue(redis(), {}, () => (at += 1000))
  const thread = { project: PROJECT, channel: DOCS, user: ADA, thread: "1795400770.000100" }
  const send = (delivery: string, others: { job?: string } = {}) =>
    submit(asContext(submitting), { ...thread, delivery, prompt: { words: delivery }, ...others })
  const first = await send("the first")
  const latest = await send("a new job", { job: "gone" })
  expect(await send("joins the latest")).toEqual(latest)
  expect(await send("the first")).toEqual({ ...first, outcome: "known" })
})
