import { describe, expect } from "vitest"
import { SCOPES } from "../../src/slack/scopes.ts"
import { ask, NOTES, PICTURE } from "../helpers/attached-files.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, DOCS, type SharedFile } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

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
    await h.toldPrivately(ADA, /can't see more.txt: it's over 100 kB/)
  })

  test("comes with a direct message and with the message shortcut as well", async (h) => {
    h.docs.planAll(READY)
    await h.slack.as(ADA).post(ADA_DM, "use it in the docs", { files: [NOTES] })
    await h.botSays(/request ready/, { channel: ADA_DM })
    const shared = await h.slack.as(BEN).post(DOCS, "", { files: [NOTES, PICTURE] })
    await h.slack.as(ADA).shortcut(shared, "ask_docs_agent")
    const modal = await h.slack.until((slack) => slack.modal(ADA))
    expect(JSON.stringify(modal.payload)).toContain("notes.md (text/markdown, 1 kB)")
    await h.slack.as(ADA).submitModal({ prompt: "document that" })
    for (const prompt of await h.promptsSent(2))
      expect(prompt).toContain("> # Keys\n> last 90 days")
    await h.toldPrivately(ADA, /can't see screen.png: it isn't a text file/)
  })

  test("travels along when the job is tried again, and nobody is told twice", async (h) => {
    h.docs.planAll({ ending: "failed", afterMs: 20 })
    await h.slack.as(ADA).mention(DOCS, "use it in the docs", { files: [NOTES, PICTURE] })
    const reply = await h.botSays(/couldn't finish/)
    await h.slack.as(ADA).click(reply, "run_again")
    const [first, second] = await h.promptsSent(2)
    expect(second).toBe(first)
    expect(second).toContain("last 90 days")
    await h.slack.until(
      () => h.botMessages().filter((m) => m.threadTs && /couldn't/.test(m.text)).length > 1,
    )
    const told = h.slack.ephemerals(ADA).filter(({ text }) => /screen.png/.test(text))
    expect(told).toHaveLength(1)
  })
})

describe("a file that the agent does not see is named in the prompt, and the requester told once", () => {
  const lie = { name: "lies.txt", content: Buffer.from([0x89, 0x50, 0x4e, 0x47]) }
  const large = { name: "big.txt", content: "x".repeat(20_000_000), size: 10 }
  const elsewhere = { mode: "external", externalUrl: "https://drive.example.com/1" } as const
  const cases: [file: SharedFile, facts: string, told: string][] = [
    [PICTURE, "image/png, 1 kB", "it isn't a text file"],
    [{ name: "empty.txt", content: "" }, "text/plain, 0 kB", "it's empty"],
    [lie, "text/plain, 1 kB", "it isn't a text file"],
    [{ name: "nul.txt", content: "a\0b" }, "text/plain, 1 kB", "it isn't a text file"],
    [large, "text/plain, 1 kB", "it's over 100 kB"],
    [
      { name: "Plan", content: "", ...elsewhere },
      "application/octet-stream, 0 kB",
      "it isn't a text",
    ],
  ]

  test("a picture, an empty one, one that lies about its type or size, or lies elsewhere", async (h) => {
    for (const [n, [file, facts, says]] of cases.entries()) {
      const { root, prompt } = await ask(h, [file], `use attached file ${n}`)
      expect(prompt).toContain(`> ${file.name} (${facts}): not quoted`)
      const told = await h.slack.until((s) => s.ephemerals(ADA)[n])
      expect(told).toMatchObject({ channel: DOCS, threadTs: root.ts })
      expect(told.text).toContain(says)
    }
    expect(h.slack.ephemerals(ADA)).toHaveLength(cases.length)
    // The download stops as soon as it exceeds the limit.
    expect(Math.max(0, ...downloaded(h))).toBeLessThan(10_000_000)
  })

  test("one that was deleted meanwhile", async (h) => {
    const asking = h.slack.hold("users.info")
    const posted = h.slack.as(ADA).mention(DOCS, "use it in the docs", { files: [NOTES] })
    const file = await h.slack.until((slack) => slack.files()[0])
    h.slack.deleteFile(file.id)
    asking.release()
    await posted
    const [prompt] = await h.promptsSent()
    expect(prompt).toContain("notes.md (text/markdown, 1 kB): not quoted")
    await h.toldPrivately(ADA, /can't see notes.md: I don't have access/)
  })

  test("one of another workspace, unless Slack shows it after all", async (h) => {
    const { prompt } = await ask(h, [{ ...NOTES, isForeign: true }])
    expect(prompt).toContain("> notes.md (text/markdown, 1 kB):\n> # Keys")
    h.slack.fail({ kind: "error", error: "access_denied", method: "files.info" })
    const second = await ask(h, [{ ...NOTES, isForeign: true }], "use that too")
    expect(second.prompt).toContain("> a file: not quoted")
    await h.toldPrivately(ADA, /can't see an unnamed file: I don't have access/)
  })

  test("each, without the permission to read files", async () => {
    const h = await testBed({ slack: { scopes: Object.keys(SCOPES) } })
    const { prompt } = await ask(h, [NOTES])
    expect(prompt).toContain("> notes.md (text/markdown, 1 kB): not quoted")
    const says = /can't see notes.md: I don't have permission to read files.*`files:read`/
    await h.toldPrivately(ADA, says)
    expect(downloaded(h)).toEqual([])
  })
})

const table = [
  ["Plan", "Price"],
  ["Team", "$40 & more"],
]

test.each([
  ["a mention", DOCS, "@docs-agent list these prices on the plans page"],
  ["a direct message", ADA_DM, "list these prices on the plans page"],
  ["a mention without words", DOCS, "@docs-agent"],
])("a pasted table travels with %s", async (_, channel, text) => {
  const h = await testBed()
  await h.slack.as(ADA).post(channel, text, { table })
  const [prompt = ""] = await h.promptsSent()
  expect(prompt).toContain("> Plan | Price\n> Team | $40 & more")
  expect(prompt).toMatch(/list these prices on|Update the docs with the attached table/)
})

test("a user group is no riddle, and clips and canvases are named as what they are", async (h) => {
  await h.slack.as(ADA).mention(DOCS, "use this plan from @writers in the docs", {
    files: [
      { name: "audio.m4a", content: "x", mimetype: "audio/mp4", subtype: "slack_audio" },
      { name: "Plan", content: "<html>", mimetype: "application/vnd.slack-docs" },
      { name: "Untitled", content: "puts 1", mimetype: "application/x-ruby", mode: "snippet" },
    ],
  })
  expect((await h.toldPrivately(ADA, /can't see 2 of your files/)).text).toContain(
    "• audio.m4a: it's a voice clip\n• Plan: it's a canvas",
  )
  const [prompt] = await h.promptsSent()
  expect(prompt).toContain("puts 1")
  expect(prompt).toContain("use this plan from a user group in the docs")
})

test("ASK-26: a file of text alone is a request, and a picture is none but named as unseen", async (h) => {
  await h.slack.as(ADA).mention(DOCS, "", { files: [{ name: "a.png", content: "x" }] })
  await h.toldPrivately(ADA, /^What should change.*\nThe agent can't see a\.png: it isn't a text/)
  await h.slack.as(ADA).mention(DOCS, "", { files: [{ name: "plan.md", content: "# Plan" }] })
  await h.botSays(/Update the docs with the attached plan\.md/)
  await h.docsUntil(({ creations }) => creations.length === 1)
})
