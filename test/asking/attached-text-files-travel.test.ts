import { describe, expect } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { gate } from "../helpers/gate.ts"
import { botMessages, botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, DOCS, type SharedFile } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

const NOTES: SharedFile = { name: "notes.md", content: "# Keys\nlast 90 days\n" }
const PICTURE: SharedFile = { name: "screen.png", content: Buffer.from([0x89, 0x50, 0, 1]) }

/** Mentions the bot with files. @returns the service's prompt and the message */
async function ask(h: Bed, files: readonly SharedFile[], words = "use the attached") {
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).mention(DOCS, words, { files })
  await botSays(h, /request ready/, { thread: root.ts })
  return { root, prompt: h.docs.creations.at(-1)?.prompt ?? "" }
}

function downloaded(h: Bed): number[] {
  const calls = h.slack.calls.filter(({ method }) => method === "download")
  return calls.map(({ args }) => Number(args.bytes))
}

describe("ASK-26: a text file on a request", () => {
  test("is quoted with its name, type and size, and another makes another request of the same words", async (h) => {
    const { prompt } = await ask(h, [
      { name: "notes.md", content: "# Keys\nlast 90 days" },
      { name: "openapi.json", content: '{"openapi": "3.1.0"}' },
      { name: "page.mdx", content: "<Card>née</Card>" },
    ])
    expect(prompt.split("\n")).toEqual([
      "use the attached",
      "",
      "Files attached to the request, quoted for context:",
      "> notes.md (text/markdown, 1 kB):",
      "> # Keys",
      "> last 90 days",
      "",
      "> openapi.json (application/json, 1 kB):",
      '> {"openapi": "3.1.0"}',
      "",
      "> page.mdx (application/octet-stream, 1 kB):",
      "> <Card>née</Card>",
    ])
    await ask(h, [{ ...NOTES, content: "others" }])
    expect(h.docs.creations).toHaveLength(2)
    expect(h.slack.ephemerals(ADA)).toEqual([])
  })

  test("of 100 kB is quoted to its end; of one that is larger nothing is fetched", async (h) => {
    const content = `${"word ".repeat(20_479)}end.\n`
    expect(content).toHaveLength(100 * 1024)
    const { prompt } = await ask(h, [
      { name: "all.txt", content },
      { name: "more.txt", content: "x".repeat(20_000_000) },
    ])
    expect(prompt).toContain("word end.")
    expect(prompt).toContain("> more.txt (text/plain, 20000 kB): not quoted")
    expect(prompt.length).toBeLessThan(100 * 1024 + 1000)
    expect(downloaded(h)).toEqual([100 * 1024])
    await toldPrivately(h, ADA, /can't see more.txt: it's over 100 kB/)
  })

  test("comes with a direct message and with the message shortcut as well", async (h) => {
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).post(ADA_DM, "use it in the docs", { files: [NOTES] })
    await botSays(h, /request ready/, { channel: ADA_DM })
    const shared = await h.slack.as(BEN).post(DOCS, "", { files: [NOTES, PICTURE] })
    await h.slack.as(ADA).shortcut(shared, "ask_docs_agent")
    const modal = await h.slack.until((slack) => slack.modal(ADA))
    expect(JSON.stringify(modal.payload)).toContain("notes.md (text/markdown, 1 kB)")
    await h.slack.as(ADA).submitModal({ prompt: "document that" })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    for (const { prompt } of h.docs.creations) {
      expect(prompt).toContain("> # Keys\n> last 90 days")
    }
    await toldPrivately(h, ADA, /can't see screen.png: it isn't a text file/)
  })

  test("travels along when the job is tried again, and nobody is told twice", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).mention(DOCS, "use it in the docs", { files: [NOTES, PICTURE] })
    const reply = await botSays(h, /couldn't finish/)
    await h.slack.as(ADA).click(reply, "run_again")
    await docsUntil(h, (docs) => docs.creations.length === 2)
    const [first, second] = h.docs.creations.map(({ prompt }) => prompt)
    expect(second).toBe(first)
    expect(second).toContain("last 90 days")
    await h.slack.until(
      (s) => botMessages(s).filter((m) => m.threadTs && /couldn't/.test(m.text)).length > 1,
    )
    const told = h.slack.ephemerals(ADA).filter(({ text }) => /screen.png/.test(text))
    expect(told).toHaveLength(1)
  })
})

describe("a file that the agent does not see is named in the prompt, and the requester told once", () => {
  const cases: [file: SharedFile, prompt: string, told: RegExp][] = [
    [PICTURE, "> screen.png (image/png, 1 kB): not quoted", /it isn't a text file/],
    [
      { name: "empty.txt", content: "" },
      "> empty.txt (text/plain, 0 kB): not quoted",
      /it's empty/,
    ],
    [
      { name: "lies.txt", content: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
      "> lies.txt (text/plain, 1 kB): not quoted",
      /it isn't a text file/,
    ],
    [
      { name: "nul.txt", content: "a\0b" },
      "> nul.txt (text/plain, 1 kB): not quoted",
      /it isn't a text file/,
    ],
    [
      { name: "big.txt", content: "x".repeat(20_000_000), size: 10 },
      "> big.txt (text/plain, 1 kB): not quoted",
      /it's over 100 kB/,
    ],
    [
      { name: "Plan", content: "", mode: "external", externalUrl: "https://drive.example.com/1" },
      "> Plan (application/octet-stream, 0 kB): not quoted",
      /it isn't a text file/,
    ],
  ]

  test("a picture, an empty one, one that lies about its type or size, or lies elsewhere", async (h) => {
    for (const [n, [file, line, says]] of cases.entries()) {
      const { root, prompt } = await ask(h, [file], `use attached file ${n}`)
      expect(prompt).toContain(line)
      const told = await h.slack.until((s) => s.ephemerals(ADA)[n])
      expect(told).toMatchObject({ channel: DOCS, threadTs: root.ts })
      expect(told.text).toMatch(says)
    }
    expect(h.slack.ephemerals(ADA)).toHaveLength(cases.length)
    // The download stops as soon as it exceeds the limit.
    expect(Math.max(0, ...downloaded(h))).toBeLessThan(10_000_000)
  })

  test("one that was deleted meanwhile", async (h) => {
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const asking = h.slack.hold("users.info")
    const posted = h.slack.as(ADA).mention(DOCS, "use it in the docs", { files: [NOTES] })
    const file = await h.slack.until((slack) => slack.files()[0])
    h.slack.deleteFile(file.id)
    asking.release()
    await posted
    await botSays(h, /request ready/)
    expect(h.docs.creations[0]?.prompt).toContain("notes.md (text/markdown, 1 kB): not quoted")
    await toldPrivately(h, ADA, /can't see notes.md: I don't have access/)
  })

  test("one of another workspace, unless Slack shows it after all", async (h) => {
    const { prompt } = await ask(h, [{ ...NOTES, isForeign: true }])
    expect(prompt).toContain("> notes.md (text/markdown, 1 kB):\n> # Keys")
    h.slack.fail({ kind: "error", error: "access_denied", method: "files.info" })
    const second = await ask(h, [{ ...NOTES, isForeign: true }], "use that too")
    expect(second.prompt).toContain("> a file: not quoted")
    await toldPrivately(h, ADA, /can't see an unnamed file: I don't have access/)
  })

  test("each, without the permission to read files", async () => {
    const h = await testBed({ slack: { scopes: Object.keys(SCOPES) } })
    const { prompt } = await ask(h, [NOTES])
    expect(prompt).toContain("> notes.md (text/markdown, 1 kB): not quoted")
    await toldPrivately(
      h,
      ADA,
      /can't see notes.md: I don't have permission to read files.*`files:read`/,
    )
    expect(downloaded(h)).toEqual([])
  })
})

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
    await h.slack.until((s) =>
      botMessages(s).find(({ blocks }) => JSON.stringify(blocks).includes("is included")),
    )
    await h.slack.as(ADA).click(card, "cancel", { index: 0 })
    await botSays(h, /with an example/)
    await h.slack.as(BEN).mention(DOCS, "as on this", { thread: card.ts, files: [PICTURE] })
    await toldPrivately(h, BEN, /screen.png/)
  })
})
