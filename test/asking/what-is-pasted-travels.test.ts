import { expect } from "vitest"
import { botSays, docsUntil, toldPrivately } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, ADA_DM, DEFAULT_SCOPES, DOCS } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
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
  await docsUntil(h, (docs) => docs.creations.length > 0)
  const [prompt = ""] = h.docs.creations.map((one) => one.prompt)
  expect(prompt).toContain("> Plan | Price\n> Team | $40 & more")
  expect(prompt).toMatch(/list these prices on|Update the docs with the attached table/)
})

test("a user group is no riddle, and clips and canvases are named as what they are", async () => {
  const h = await testBed({ slack: { scopes: [...DEFAULT_SCOPES, "files:read"] } })
  await h.slack.as(ADA).mention(DOCS, "use this plan from @writers in the docs", {
    files: [
      { name: "audio.m4a", content: "x", mimetype: "audio/mp4", subtype: "slack_audio" },
      { name: "Plan", content: "<html>", mimetype: "application/vnd.slack-docs" },
      { name: "Untitled", content: "puts 1", mimetype: "application/x-ruby", mode: "snippet" },
    ],
  })
  expect((await toldPrivately(h, ADA, /can't see 2 of your files/)).text).toContain(
    "• audio.m4a: it's a voice clip\n• Plan: it's a canvas",
  )
  await docsUntil(h, (docs) => docs.creations.length > 0)
  expect(h.docs.creations[0]?.prompt).toContain("puts 1")
  expect(h.docs.creations[0]?.prompt).toContain("use this plan from a user group in the docs")
})

test("ASK-26: a file of text alone is a request, and a picture is none but named as unseen", async (h) => {
  await h.slack.as(ADA).mention(DOCS, "", { files: [{ name: "a.png", content: "x" }] })
  await toldPrivately(h, ADA, /^What should change.*\nThe agent can't see a\.png: it isn't a text/)
  await h.slack.as(ADA).mention(DOCS, "", { files: [{ name: "plan.md", content: "# Plan" }] })
  await botSays(h, /Update the docs with the attached plan\.md/)
  await docsUntil(h, ({ creations }) => creations.length === 1)
})
