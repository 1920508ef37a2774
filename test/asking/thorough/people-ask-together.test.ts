import { expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { askUntil } from "../../helpers/asked.ts"
import { ask, PICTURE } from "../../helpers/attached-files.ts"
import { gate } from "../../helpers/gate.ts"
import { READY, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, CLEO, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

test("two who ask in a thread at the same moment share its first job, and its next", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" }, plan: READY })
  const root = await h.slack.as(CLEO).post(DOCS, "the quickstart is old")
  const { say } = h.inThread(root.ts)
  const both = async (of: string) => {
    await h.pause("jobs")
    await Promise.all([say(`${of}: add an example`, ADA), say(`${of}: add the limits`)])
    await h.resumeAll()
  }
  await both("first")
  await h.botSaysTimes(1, /request is ready/)
  await both("then")
  await h.botSaysTimes(2, /request is ready/)
  for (const prompt of await h.promptsSent(2)) expect(prompt).toMatch(/an example[\s\S]*the limits/)
})

test("what was asked while a request was turned away goes with it, in the order asked", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "1" } })
  const answer = gate()
  h.docs.fail({ type: "held", until: answer.opened, kind: "create", times: 1 })
  h.docs.fail({ type: "rate_limited", retryAfter: 2, kind: "create", times: 1 })
  const { say } = await h.startThread()
  await h.untilState("creating")
  await say("with an example")
  answer.open()
  await h.untilState("queued")
  await say("and in french", CLEO)
  await h.resumeAll()
  expect((await h.promptsSent())[0]).toMatch(/guide[\s\S]*an example[\s\S]*in french$/)
})

test("people who ask together hear of their own files only, where Slack is slow to show one", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "2" } })
  const first = h.slack.hold("files.info", { times: 1 })
  const root = await h.slack.as(ADA).mention(DOCS, "use the attached", { files: [PICTURE] })
  const more = { files: [{ ...PICTURE, name: "plan.png" }], thread: root.ts }
  await h.slack.as(BEN).mention(DOCS, "and this one, please", more)
  first.release()
  expect((await h.toldPrivately(BEN, /plan.png/)).text).not.toContain("screen.png")
  expect((await h.toldPrivately(ADA, /screen.png/)).text).not.toContain("plan.png")
})

test("a file that the agent can't see is named once, also where its follow-up becomes a new job", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const { say, says } = await h.startThread()
  await says(/Working on it/)
  await say("and use the attached", BEN, { files: [PICTURE] })
  await h.toldPrivately(BEN, /screen.png/)
  h.finish("pull_request")
  await h.promptsSent(2)
  expect(h.slack.ephemerals(BEN)).toHaveLength(1)
})

test("beside a command's request, the files of a mention are named in its thread: to who typed it, too, and to others once it is cancelled", async () => {
  const h = await testBed({ env: { START_DELAY_SECONDS: "60" } })
  const card = await askUntil(h, "write the guide", /Starting/)
  const { say } = h.inThread(card.ts)
  await say("as on this", ADA, { files: [PICTURE] })
  expect(await h.toldPrivately(ADA, /screen.png/)).toMatchObject({ threadTs: card.ts })
  await say("with an example")
  await h.botShows("with an example")
  for (const _ of [1, 2]) await h.slack.as(ADA).click(card, "cancel", { index: 0 })
  await h.botSays(/ben requested a docs change: with an example/)
  await say("as on this", BEN, { files: [{ ...PICTURE, name: "plan.png" }] })
  await h.toldPrivately(BEN, /plan.png/)
})

test("files beyond ten, or beyond the room that there is are named to the requester", async (h) => {
  const content = "y".repeat(90_000)
  const files = Array.from({ length: 12 }, (_, n) => ({ name: `${n}.txt`, content }))
  const { prompt } = await ask(h, files)
  expect(prompt.match(/> \d+.txt \(text\/plain, 90 kB\):\n/g)).toHaveLength(2)
  expect(prompt.match(/: not quoted$/gm)).toHaveLength(10)
  await h.toldPrivately(ADA, /can't see 10 of your files/)
  expect(h.slack.calls.filter(({ method }) => method === "download")).toHaveLength(2)
})
