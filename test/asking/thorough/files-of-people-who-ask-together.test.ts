import { describe, expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { ask, NOTES, PICTURE } from "../../helpers/attached-files.ts"
import { gate } from "../../helpers/gate.ts"
import { botSays, botShows, docsUntil, toldPrivately } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

describe("where Slack has trouble with a file", () => {
  test("the job starts without it", async (h) => {
    h.slack.fail({ kind: "status", status: 500, method: "files.info" })
    const { prompt } = await ask(h, [NOTES])
    expect(prompt).toContain(": not quoted")
    await toldPrivately(h, ADA, /couldn't download it/)
  })

  test("and people who ask together hear of their own files only", async () => {
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

  test("Slack is asked again for a file when it says so", async (h) => {
    h.slack.fail({ kind: "rate_limited", retryAfter: 1, method: "files.info", times: 1 })
    const { prompt } = await ask(h, [NOTES])
    expect(prompt).toContain("> last 90 days")
  })
})

test("a file that the agent can't see is named once, also where its follow-up becomes a new job", async () => {
  const h = await testBed({ env: { DOCS_MESSAGE_PATH: "off" } })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Working on it/, { thread: root.ts })
  const more = { thread: root.ts, files: [PICTURE] }
  await h.slack.as(BEN).mention(DOCS, "and use the attached", more)
  await toldPrivately(h, BEN, /screen.png/)
  h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
  await docsUntil(h, ({ creations }) => creations.length === 2)
  expect(h.slack.ephemerals(BEN)).toHaveLength(1)
})

describe("beside a command's request, the files of a mention are named where it was said", () => {
  const SLOW = { env: { START_DELAY_SECONDS: "60" } }
  test("to who typed the command, too", async () => {
    const h = await testBed(SLOW)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const card = await botSays(h, /Starting/)
    await h.slack.as(ADA).mention(DOCS, "as on this", { thread: card.ts, files: [PICTURE] })
    expect(await toldPrivately(h, ADA, /screen.png/)).toMatchObject({ threadTs: card.ts })
  })

  test("to their author, once the command's request is cancelled", async () => {
    const h = await testBed(SLOW)
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const card = await botSays(h, /Starting/)
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
