import { expect, test } from "vitest"
import { resumeAll } from "../../helpers/put-off.ts"
import { botMessages, docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

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

test("what was asked while a request was turned away goes with it, in the order asked", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1" } })
  h.docs.fail({ type: "delay", ms: 1000, kind: "create", times: 1 })
  h.docs.fail({ type: "rate_limited", retryAfter: 2, kind: "create", times: 1 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const state = async () => (await h.services.front.jobs.ofUser(ADA, 1))[0]?.job.state
  await expect.poll(state).toBe("creating")
  await h.slack.as(BEN).mention(DOCS, "with an example", { thread: root.ts })
  await expect.poll(state).toBe("queued")
  await h.slack.as(CLEO).mention(DOCS, "and in french", { thread: root.ts })
  await resumeAll(h)
  await docsUntil(h, ({ creations }) => creations.length === 1)
  expect(h.docs.creations[0]?.prompt).toMatch(/guide[\s\S]*an example[\s\S]*in french$/)
})
