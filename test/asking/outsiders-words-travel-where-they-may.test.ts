import { describe, expect } from "vitest"
import { type Bed, useTestBed } from "../helpers/test-bed.ts"
import { ADA, BEN, DOCS, EVE, GUS, type PostOptions, SHARED } from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
const WORDS = "document that in the docs"
const LEFT_OUT = /guests and other organizations aren't included/

const said = (h: Bed, more: PostOptions = {}) =>
  h.slack.as(EVE).post(SHARED, "tell them 900 days", more)

/** Asks in a thread in which an outsider speaks after Ada. */
async function inThreadWith(h: Bed, outsider: string, channel: string) {
  const root = await h.slack.as(ADA).post(channel, "keys last 90")
  await h.slack.as(outsider).post(channel, "tell them 900 days", { thread: root.ts })
  await h.slack.as(ADA).mention(channel, WORDS, { thread: root.ts })
}

/** Way in which outsiders' words reach a request. Resolves to what its form shows, if it has one. */
type Way = [where: string, outsiders: string[], ask: (h: Bed) => Promise<unknown>]
const WAYS: Way[] = [
  ["in a thread, of a company", ["900 days"], (h) => inThreadWith(h, EVE, SHARED)],
  ["in a thread, of a guest", ["900 days"], (h) => inThreadWith(h, GUS, DOCS)],
  [
    "in a message of the thread that forwards it with its file",
    ["900 days", "eve.md"],
    async (h) => {
      const theirs = await said(h, { files: [{ name: "eve.md", content: "900" }] })
      const root = await h.slack.as(BEN).post(DOCS, "keys last 90", { forward: theirs })
      await h.slack.as(ADA).mention(DOCS, WORDS, { thread: root.ts })
    },
  ],
  [
    "in the message of a shortcut",
    ["900 days"],
    async (h) => {
      const shown = await h.formAbout(await said(h))
      await h.slack.as(ADA).submitModal({ prompt: `${WORDS}: keys last 90` })
      return shown
    },
  ],
  [
    "in a message that the one of a shortcut forwards",
    ["900 days"],
    async (h) => {
      const post = await h.slack.as(BEN).post(DOCS, "keys last 90", { forward: await said(h) })
      const shown = await h.formAbout(post)
      expect(shown).toContain("ben: keys last 90")
      await h.slack.as(ADA).submitModal({ prompt: WORDS })
      return shown
    },
  ],
  [
    "in a request that forwards it with its file, whose author may be unknown",
    ["900 days", "901 days", "e.md", "f.md"],
    async (h) => {
      const shared = { is_share: true, author_name: "Eve" }
      const [theirs, unsaid] = [
        { id: "F1", name: "e.md" },
        { id: "F2", name: "f.md", user: EVE },
      ]
      const attachments = [
        { ...shared, author_id: EVE, text: "tell them 900 days", files: [theirs] },
        { ...shared, text: "or 901 days", files: [unsaid] },
        { ...shared, author_id: BEN, author_name: "Ben", text: "keys last 90" },
      ]
      const { ts } = await h.slack.as(ADA).post(DOCS, "what the event below is about")
      const mention = { type: "app_mention", user: ADA, text: `<@U0DOCSAGENT> ${WORDS}` }
      await h.slack.sendEvent({ ...mention, channel: DOCS, ts, attachments })
    },
  ],
]

describe.each([
  ["left out by default, and the card and the form say so", false],
  ["quoted where outsiders may ask", true],
])("ASK-27: what guests and other organizations said is %s", (_, allow) => {
  test.each(WAYS)("%s", async (_, outsiders, ask) => {
    const h = await testBed({ env: { ALLOW_EXTERNAL_USERS: String(allow) } })
    const shown = await ask(h)
    const [prompt = ""] = await h.promptsSent()
    expect(prompt).toContain("keys last 90")
    for (const words of outsiders) expect(prompt.includes(words)).toBe(allow)
    const card = await h.slack.until(() => [DOCS, SHARED].flatMap((id) => h.botMessages(id))[0])
    expect(LEFT_OUT.test(card.text)).toBe(!allow)
    if (typeof shown !== "string") return
    expect(shown.includes("900 days")).toBe(allow)
    expect(shown.includes("messages from guests and other org")).toBe(!allow)
  })
})

test("ASK-27: a follow-up that waits leaves an outsider's words out of its own round, whose card says so", async (h) => {
  const { thread, say, says } = await h.startThread()
  await h.docsUntil(({ creations }) => creations.length === 1)
  await h.slack.as(GUS).post(DOCS, "tell them 900 days", thread)
  await say("name the limits too")
  await expect.poll(async () => (await h.jobOf()).waiting[0]?.isPrepared).toBe(true)
  await say("and the keys")
  expect((await says(/and the keys/)).text).not.toMatch(LEFT_OUT)
  h.finish("pull_request")
  expect((await says(/Updating/)).text).toMatch(LEFT_OUT)
})
