import { describe, expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { askUntil } from "../../helpers/asked.ts"
import { ask, PICTURE } from "../../helpers/attached-files.ts"
import { gate } from "../../helpers/gate.ts"
import { resumeAll } from "../../helpers/put-off.ts"
import {
  botMessages,
  botSays,
  botShows,
  promptsSent,
  toldPrivately,
} from "../../helpers/reading.ts"
import { READY, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

test("two who ask in a thread at the same moment share its first job, and its next", async () => {
  const env = { START_DELAY_SECONDS: "1", DOCS_MESSAGE_PATH: "off" }
  const h = await testBed({ env, plan: READY })
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
  for (const prompt of await promptsSent(h, 2))
    expect(prompt).toMatch(/an example[\s\S]*the limits/)
})

test("what was asked while a request was turned away goes with it, in the order asked", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1" } })
  h.docs.fail({ type: "delay", ms: 1000, kind: "create", times: 1 })
  h.docs.fail({ type: "rate_limited", retryAfter: 2, kind: "create", times: 1 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  const state = async () => (await h.services.front.jobs.ofUser(ADA))[0]?.job.state
  await expect.poll(state).toBe("creating")
  await h.slack.as(BEN).mention(DOCS, "with an example", { thread: root.ts })
  await expect.poll(state).toBe("queued")
  await h.slack.as(CLEO).mention(DOCS, "and in french", { thread: root.ts })
  await resumeAll(h)
  expect((await promptsSent(h))[0]).toMatch(/guide[\s\S]*an example[\s\S]*in french$/)
})

test("people who ask together hear of their own files only, where Slack is slow to show one", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "2" } })
  const first = gate()
  h.slack.fail({ kind: "held", until: first.opened, method: "files.info", times: 1 })
  const root = await h.slack.as(ADA).mention(DOCS, "use the attached", { files: [PICTURE] })
  const more = { files: [{ ...PICTURE, name: "plan.png" }], thread: root.ts }
  await h.slack.as(BEN).mention(DOCS, "and this one, please", more)
  first.open()
  expect((await toldPrivately(h, BEN, /plan.png/)).text).not.toContain("screen.png")
  expect((await toldPrivately(h, ADA, /screen.png/)).text).not.toContain("plan.png")
})

test("a file that the agent can't see is named once, also where its follow-up becomes a new job", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Working on it/, { thread: root.ts })
  const more = { thread: root.ts, files: [PICTURE] }
  await h.slack.as(BEN).mention(DOCS, "and use the attached", more)
  await toldPrivately(h, BEN, /screen.png/)
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await promptsSent(h, 2)
  expect(h.slack.ephemerals(BEN)).toHaveLength(1)
})

describe("beside a command's request, the files of a mention are named where it was said", () => {
  const SLOW = { env: { START_DELAY_SECONDS: "60" } }
  test("to who typed the command, too", async () => {
    const h = await testBed(SLOW)
    const card = await askUntil(h, "write the guide", /Starting/)
    await h.slack.as(ADA).mention(DOCS, "as on this", { thread: card.ts, files: [PICTURE] })
    expect(await toldPrivately(h, ADA, /screen.png/)).toMatchObject({ threadTs: card.ts })
  })

  test("to their author, once the command's request is cancelled", async () => {
    const h = await testBed(SLOW)
    const card = await askUntil(h, "write the guide", /Starting/)
    await h.slack.as(BEN).mention(DOCS, "with an example", { thread: card.ts })
    await botShows(h, "is included")
    await h.slack.as(ADA).click(card, "cancel", { index: 0 })
    await botSays(h, /with an example/)
    await h.slack.as(BEN).mention(DOCS, "as on this", { thread: card.ts, files: [PICTURE] })
    await toldPrivately(h, BEN, /screen.png/)
  })
})

test("files beyond ten, or beyond the room that there is are named to the requester", async (h) => {
  const content = "y".repeat(90_000)
  const files = Array.from({ length: 12 }, (_, n) => ({ name: `${n}.txt`, content }))
  const { prompt } = await ask(h, files)
  expect(prompt.match(/> \d+.txt \(text\/plain, 90 kB\):\n/g)).toHaveLength(2)
  expect(prompt.match(/: not quoted$/gm)).toHaveLength(10)
  await toldPrivately(h, ADA, /can't see 10 of your files/)
  expect(h.slack.calls.filter(({ method }) => method === "download")).toHaveLength(2)
})
