import { expect, test } from "vitest"
import { MAX_THREAD } from "../../../src/jobs/prompt/quoted-messages.ts"
import { docsUntil } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { MessageRef } from "../../sandbox/slack/person/target.ts"
import { ADA, BEN, DOCS, EDITORS, RANDOM } from "../../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed()

/** Makes a request with a message's shortcut. @returns the form and the service's prompt */
async function askAbout(h: TestBed, message: MessageRef, where: { channel?: string } = {}) {
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).shortcut(message, "ask_docs_agent")
  const modal = await h.slack.until((slack) => slack.modal(ADA))
  await h.slack.as(ADA).submitModal({ prompt: "document that in the docs", ...where })
  await docsUntil(h, (docs) => docs.creations.length > 0)
  return { shown: JSON.stringify(modal.payload), prompt: h.docs.creations[0]?.prompt ?? "" }
}

test("the shortcut quotes what another app said in blocks and attachments, by its name", async () => {
  const h = await testBed()
  const message = h.slack.postAsApp(DOCS, {
    blocks: [
      { type: "header", text: { type: "plain_text", text: "Deploy of v2 <failed>" } },
      { type: "section", text: { type: "mrkdwn", text: `Started by <@${BEN}>` } },
    ],
    attachments: [{ title: "Error", text: "page not found" }],
  })
  const { shown, prompt } = await askAbout(h, message)
  expect(shown).toContain("Deploy of v2 <failed>")
  expect(prompt).toBe(
    [
      "A Slack message, quoted for context:",
      "> Deploys: Deploy of v2 <failed>",
      "> Started by @ben",
      "> Error",
      "> page not found",
      "",
      "document that in the docs",
    ].join("\n"),
  )
})

test("the shortcut quotes a forwarded message", async () => {
  const h = await testBed()
  const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
  const message = await h.slack.as(BEN).post(DOCS, "look", { forward: original })
  const { shown, prompt } = await askAbout(h, message)
  expect(shown).toContain("keys last <90> days")
  expect(prompt).toContain("> ben: look\n> Forwarded from Ben: keys last <90> days")
})

test("the thread up to a quoted reply travels, also to another channel", async () => {
  const h = await testBed()
  const root = await h.slack.as(BEN).post(DOCS, "keys last 90 days")
  const reply = await h.slack.as(ADA).post(DOCS, "nobody knows that", { thread: root.ts })
  const { shown, prompt } = await askAbout(h, reply, { channel: EDITORS })
  expect(shown).toContain("The agent also reads the thread up to this message.")
  expect(prompt).toContain("> ben: keys last 90 days")
})

test("a message is quoted as far as a whole thread would be", async () => {
  const h = await testBed()
  const section = { type: "section", text: { type: "plain_text", text: "x".repeat(2900) } }
  const message = h.slack.postAsApp(DOCS, { blocks: Array(8).fill(section) })
  const { prompt } = await askAbout(h, message)
  expect(prompt).toContain("x".repeat(2900))
  expect(prompt.length).toBeLessThan(MAX_THREAD + 200)
})

test("a request that passes a message on carries it along", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
  await h.slack.as(ADA).mention(DOCS, "document that in the docs", { forward: original })
  await docsUntil(h, (docs) => docs.creations.length > 0)
  expect(h.docs.creations[0]?.prompt).toBe(
    [
      "Passed on with the request, quoted for context:",
      "> Forwarded from Ben: keys last <90> days",
      "",
      "document that in the docs",
    ].join("\n"),
  )
})
