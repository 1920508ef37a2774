import { expect, test } from "vitest"
import { startSeparately } from "../../src/asking/act-on-job.ts"
import { botMessages, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()

test("two who ask in a thread at the same moment share its first job, and its next", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1", DOCS_MESSAGE_PATH: "off" } })
  h.docs.planAll({ ending: "pull_request", afterMs: 0 })
  const root = await h.slack.as(CLEO).post(DOCS, "the quickstart is old")
  const both = (of: string) =>
    Promise.all([
      h.slack.as(ADA).mention(DOCS, `${of}: add an example`, { thread: root.ts }),
      h.slack.as(BEN).mention(DOCS, `${of}: add the limits`, { thread: root.ts }),
    ])
  const told = () => botMessages(h.slack).filter(({ text }) => /request is ready/.test(text)).length
  await both("first")
  await h.slack.until(() => told() === 1)
  await both("then")
  await h.slack.until(() => told() === 2)
  expect(h.docs.creations).toHaveLength(2)
  for (const { prompt } of h.docs.creations) expect(prompt).toMatch(/an example[\s\S]*the limits/)
})

test("follow-ups that become a new job stay the requests of those who asked", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  h.docs.planAll({ ending: "never", afterMs: 0 })
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

test("Start separately in the moment in which the round ends puts no request into two jobs", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  h.docs.planAll({ ending: "never", afterMs: 0 })
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
  h.docs.planAll({ ending: "never", afterMs: 0 })
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

test("what was asked while a request was turned away goes with it, in the order asked", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1" } })
  h.docs.planAll({ ending: "never", afterMs: 0 })
  h.docs.fail({ type: "delay", ms: 1000, kind: "create", times: 1 })
  h.docs.fail({ type: "rate_limited", retryAfter: { seconds: 2 }, kind: "create", times: 1 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const state = async () => (await h.services.front.jobs.ofUser(ADA, 1))[0]?.job.state
  await expect.poll(state).toBe("creating")
  await h.slack.as(BEN).mention(DOCS, "with an example", { thread: root.ts })
  await expect.poll(state).toBe("queued")
  await h.slack.as(CLEO).mention(DOCS, "and in french", { thread: root.ts })
  await docsUntil(h, ({ creations }) => creations.length === 1)
  expect(h.docs.creations[0]?.prompt).toMatch(/guide[\s\S]*an example[\s\S]*in french$/)
})
