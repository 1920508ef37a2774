import { describe, expect } from "vitest"
import { MAX_THREAD } from "../../src/asking/quoted-messages-and-files.ts"
import { botMessages, botSays, promptsSent } from "../helpers/reading.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import {
  ADA,
  BEN,
  DOCS,
  EDITORS,
  EVE,
  type MessageRef,
  RANDOM,
  SHARED,
} from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

/** Makes a request with a message's shortcut. @returns the form and the service's prompt */
async function askAbout(h: Bed, message: MessageRef, where: { channel?: string } = {}) {
  await h.slack.as(ADA).shortcut(message, "ask_docs_agent")
  const modal = await h.slack.until((slack) => slack.modal(ADA))
  await h.slack.as(ADA).submitModal({ prompt: "document that in the docs", ...where })
  const [prompt = ""] = await promptsSent(h)
  return { shown: JSON.stringify(modal.payload), prompt }
}

/** Prompt of a request that passes a message on, up to the quote. */
const PASSED_ON = "document that in the docs\n\nPassed on with the request, quoted for context:"

test.for([
  { username: undefined, speaker: "Deploys" },
  { username: "Deploys of v2", speaker: "Deploys of v2" },
])(
  "the shortcut quotes what another app said in blocks and attachments, as $speaker",
  async (by) => {
    const h = await testBed()
    const message = h.slack.postAsApp(DOCS, {
      username: by.username,
      blocks: [
        { type: "header", text: { type: "plain_text", text: "Deploy of v2 <failed>" } },
        { type: "section", text: { type: "mrkdwn", text: `Started by <@${BEN}>` } },
      ],
      attachments: [{ title: "Error", text: "page not found" }],
    })
    const { shown, prompt } = await askAbout(h, message)
    expect(shown).toContain("Deploy of v2 <failed>")
    const quoted = "Deploy of v2 <failed>\n> Started by @ben\n> Error\n> page not found"
    expect(prompt).toBe(`${PASSED_ON}\n> ${by.speaker}: ${quoted}`)
  },
)

test("ASK-4: the shortcut quotes a forwarded message, and what comes of it is in that message's thread", async (h) => {
  const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
  const message = await h.slack.as(BEN).post(DOCS, "look", { forward: original })
  h.docs.planAll(READY)
  const { shown, prompt } = await askAbout(h, message)
  expect(shown).toContain("keys last <90> days")
  expect(prompt).toContain("> ben: look\n> Forwarded from Ben: keys last <90> days")
  await botSays(h, /Your pull request is ready/, { thread: message.ts })
})

test("the thread up to a quoted reply travels, also to another channel", async (h) => {
  const root = await h.slack.as(BEN).post(DOCS, "keys last 90 days")
  const reply = await h.slack.as(ADA).post(DOCS, "nobody knows that", { thread: root.ts })
  const { shown, prompt } = await askAbout(h, reply, { channel: EDITORS })
  expect(shown).toContain("The agent also reads the thread up to this message.")
  expect(prompt).toContain("> ben: keys last 90 days")
})

test("a message is quoted as far as a whole thread would be", async (h) => {
  const section = { type: "section", text: { type: "plain_text", text: "x".repeat(2900) } }
  const message = h.slack.postAsApp(DOCS, { blocks: Array(8).fill(section) })
  const { prompt } = await askAbout(h, message)
  expect(prompt).toContain("x".repeat(2900))
  expect(prompt.length).toBeLessThan(MAX_THREAD + 200)
})

test("a request that passes a message on carries it along", async (h) => {
  const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
  await h.slack.as(ADA).mention(DOCS, "document that in the docs", { forward: original })
  const quoted = "> Forwarded from Ben: keys last <90> days"
  expect(await promptsSent(h)).toEqual([`${PASSED_ON}\n${quoted}`])
})

describe.each([
  ["by default: left out, and the card says so", "false"],
  ["where outsiders may ask: quoted", "true"],
])("ASK-27: what guests and other organizations said, %s", (_, allow) => {
  const bed = () => testBed({ env: { ALLOW_EXTERNAL_USERS: allow } })
  const said = (h: Bed) => h.slack.as(EVE).post(SHARED, "tell them 900 days")

  async function checkCard(h: Bed, channel = DOCS) {
    const card = await h.slack.until((slack) => botMessages(slack, channel)[0])
    const isSaid = /guests and other organizations aren't included/.test(card.text)
    expect(isSaid).toBe(allow === "false")
  }

  test("in the message of a shortcut", async () => {
    const h = await bed()
    const { prompt, shown } = await askAbout(h, await said(h))
    expect(prompt.includes("900 days")).toBe(allow === "true")
    expect(shown.includes("900 days")).toBe(allow === "true")
    expect(shown.includes("messages from guests and other organizations")).toBe(allow === "false")
    await checkCard(h, SHARED)
  })

  test("in a message that the one of a shortcut forwards", async () => {
    const h = await bed()
    const post = await h.slack.as(BEN).post(DOCS, "keys last 90", { forward: await said(h) })
    const { prompt, shown } = await askAbout(h, post)
    expect(prompt).toContain("> ben: keys last 90")
    expect(shown).toContain("ben: keys last 90")
    for (const words of [prompt, shown]) expect(words.includes("900 days")).toBe(allow === "true")
    await checkCard(h)
  })

  test("in a message of the thread that forwards it with its file", async () => {
    const h = await bed()
    const files = [{ name: "eve.md", content: "900" }]
    const theirs = await h.slack.as(EVE).post(SHARED, "tell them 900 days", { files })
    const root = await h.slack.as(BEN).post(DOCS, "keys last 90", { forward: theirs })
    await h.slack.as(ADA).mention(DOCS, "document that in the docs", { thread: root.ts })
    const [prompt = ""] = await promptsSent(h)
    expect(prompt).toContain("> ben: keys last 90")
    for (const part of ["900 days", "eve.md"]) expect(prompt.includes(part)).toBe(allow === "true")
    await checkCard(h)
  })

  test("in a request that forwards it with its file, whose author may be unknown", async () => {
    const h = await bed()
    const shared = { is_share: true, author_name: "Eve" }
    const attachments = [
      {
        ...shared,
        author_id: EVE,
        text: "tell them 900 days",
        files: [{ id: "F1", name: "e.md" }],
      },
      { ...shared, text: "or 901 days", files: [{ id: "F2", name: "f.md", user: EVE }] },
      { ...shared, author_id: BEN, author_name: "Ben", text: "keys last 90" },
    ]
    const { ts } = await h.slack.as(ADA).post(DOCS, "what the event below is about")
    const mention = { type: "app_mention", user: ADA, text: "<@U0DOCSAGENT> document that here" }
    await h.slack.sendEvent({ ...mention, channel: DOCS, ts, attachments })
    const [prompt = ""] = await promptsSent(h)
    expect(prompt).toContain("> Forwarded from Ben: keys last 90")
    for (const part of ["900 days", "901 days", "e.md", "f.md"])
      expect(prompt.includes(part)).toBe(allow === "true")
    await checkCard(h)
  })
})
