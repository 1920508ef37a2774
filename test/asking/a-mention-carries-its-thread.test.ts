import { describe, expect } from "vitest"
import { MAX_MESSAGE, MAX_THREAD } from "../../src/asking/quoted-messages-and-files.ts"
import { waiting } from "../helpers/asked.ts"
import { type Bed, READY, useTestBed } from "../helpers/test-bed.ts"
import { MovableClock } from "../sandbox/kit/movable-clock.ts"
import {
  ADA,
  ADA_DM,
  BEN,
  CLEO,
  DOCS,
  EDITORS,
  type MessageRef,
  RANDOM,
} from "../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

describe("ASK-9, ASK-10: a mention in a thread", () => {
  test("ASK-23: carries the talk in order, with names, as quoted text", async (h) => {
    const points = Array.from({ length: 29 }, (_, n) => `point ${n} of the talk`)
    // Slack links file names and addresses on its own; the agent reads them as they were typed.
    const lines = [...points, "README.md contradicts www.example.com/start"]
    const root = await h.talk(lines)

    const prompt = await h.promptOf(root, "fix README.md, and name docs@example.com in it")
    const quoted = prompt.split("\n").filter((line) => line.startsWith("> "))
    expect(quoted.map((line) => line.replace(/^> \S+: /, ""))).toEqual(lines)
    expect(quoted[0]).toMatch(/^> ada: /)
    expect(quoted[1]).toMatch(/^> ben: /)
    expect(prompt).toMatch(/^fix README\.md, and name docs@example\.com in it\n\n/)
  })

  test("is cut at the bound, the first and the newest kept", async (h) => {
    const root = await h.talk([
      ...Array.from({ length: 12 }, (_, n) => `old ${n} ${"x".repeat(1900)}`),
      "y".repeat(MAX_MESSAGE + 500),
      "the newest",
    ])
    const prompt = await h.promptOf(root, "use that in the docs")
    expect(prompt).toContain("the newest")
    expect(prompt).toContain("old 0 ")
    expect(prompt).not.toContain("old 1 ")
    expect(prompt).toContain("Some after the first were left out.")
    expect(prompt).not.toContain("y".repeat(MAX_MESSAGE + 1))
    expect(prompt.length).toBeLessThan(MAX_THREAD + 500)
  })

  test("ASK-21: leaves out what was said to the bot and was no request", async () => {
    const clock = new MovableClock()
    const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
    const root = await h.slack.as(ADA).post(DOCS, "the quickstart is out of date")
    const { say, says } = h.inThread(root.ts)
    await say("drop the whole quickstart")
    await h.slack.as(BEN).click(await says(/Starting/), "cancel")
    await says(/Cancelled/)
    await say("status")
    await say("thank you!")
    // Some clients add the name to a mention.
    h.slack.postAsApp(DOCS, { thread: root.ts, text: "<@U0DOCSAGENT|docs-agent> quota" })
    await say("rewrite its first step")
    await waiting(h, 1)
    clock.moveOn(61_000)
    const [prompt = ""] = await h.promptsSent()
    expect(prompt).toContain("> ada: the quickstart is out of date")
    expect(prompt).not.toMatch(/drop the whole|status|thank you|quota/)
  })

  test("ASK-11: is read once more for an edit, and the card no longer says so", async () => {
    const clock = new MovableClock()
    const h = await testBed({ clock, env: { START_DELAY_SECONDS: "60" } })
    const root = await h.talk(["one", "two"])
    const fault = { kind: "error", error: "missing_scope" } as const
    const refused = h.slack.fail({ ...fault, method: "conversations.replies" })
    const message = await h.slack.as(ADA).mention(DOCS, "go on without", { thread: root.ts })
    await h.botSays(/Earlier messages aren't included/)
    refused.clear()
    await h.slack.as(ADA).edit(message, "@docs-agent go on with it")
    await h.slack.until(() =>
      h.botMessages().find(({ text }) => /with it/.test(text) && !/aren't included/.test(text)),
    )
    clock.moveOn(61_000)
    expect(await h.promptsSent()).toEqual([expect.stringContaining("> ada: one")])
  })

  test("ASK-11: is waited for while Slack asks to come back, but only for a minute: the job then starts without it, and the card says so", async () => {
    const clock = new MovableClock()
    const h = await testBed({ clock })
    h.slack.fail({ kind: "rate_limited", retryAfter: 50, method: "conversations.replies" })
    const root = await h.talk(["one", "two"])
    await h.slack.as(ADA).mention(DOCS, "go on without", { thread: root.ts })
    const cards = async () => {
      clock.moveOn(5000)
      await h.bot.worker?.passes.outbox?.()
      return h.botMessages().length
    }
    await expect.poll(cards).toBeGreaterThan(0)
    const tries = h.slack.calls.filter(({ method }) => method === "conversations.replies")
    const waitedMs = (tries.at(-1)?.at ?? 0) - (tries[0]?.at ?? 0)
    expect(waitedMs).toBeGreaterThanOrEqual(50_000)
    expect(waitedMs).toBeLessThanOrEqual(60_000)
    const card = await h.botSays(/requested a docs change/)
    expect(card.text).toContain("Earlier messages aren't included: Docs Agent can't read them")
    expect(await h.promptsSent()).toEqual(["go on without"])
  })
})

/** Verbs in a thread whose job runs, with their answers. */
const ANSWERS = {
  help: /Ask for a docs change/,
  status: /Working/,
  cancel: /^Too late to cancel/,
  retry: /Can't run this again yet/,
  mute: /^Muted/,
  quiet: /^Muted/,
  stop: /^Muted/,
  unmute: /^Unmuted/,
  "never mind": /^OK/,
}

test("ASK-14, FOL-15: help, status, cancel, retry, mute, its old words and its end are answered privately in their thread and spend nothing; retry after a failure runs the same words again, once", async (h) => {
  const { root, say, says } = await h.startThread()
  await says(/Working on it/)
  for (const [verb, answer] of Object.entries(ANSWERS)) {
    const told = await h.answerTo(ADA, () => say(verb, ADA))
    expect(told.text).toMatch(answer)
    expect(told.threadTs).toBe(root.ts)
  }
  // Ada is mentioned again, because her last word was to end the mute.
  h.finish("failed")
  await says(new RegExp(`^<@${ADA}> The agent couldn't finish`))
  expect(h.docs.creations).toHaveLength(1)
  await say("retry", ADA)
  expect(await h.promptsSent(2)).toEqual(["write the guide", "write the guide"])
  // The retry appears as a line of the only card.
  const card = await says(new RegExp(`Run again · asked by <@${ADA}>`))
  expect(h.botMessages().filter(({ text }) => /requested a docs/.test(text))).toEqual([card])
})

test("FOL-15: a reply in a direct message's thread belongs to the request, and its answer stays there", async (h) => {
  const { channel, ts } = await h.slack.as(ADA).directMessage("fix the footer")
  await h.botSays(/Working on it/, { channel, thread: ts })
  await h.slack.as(ADA).directMessage("cancel", ts)
  await h.botSays(/^Too late to cancel/, { channel, thread: ts })
  expect(h.slack.ephemerals(ADA)).toEqual([])
  expect(h.docs.creations).toHaveLength(1)
})

test("a mention that was deleted before its card starts nothing, and its words are kept", async (h) => {
  const matching = ({ channel }: { channel?: unknown }) => channel === DOCS
  h.slack.fail({ kind: "error", error: "thread_not_found", method: "chat.postMessage", matching })
  await h.slack.as(ADA).mention(DOCS, "write the guide")
  const told = await h.botSays(/^The message I'd answer was deleted/, { channel: ADA_DM })
  expect(told.text).toContain("write the guide")
  expect(h.docs.creations).toEqual([])
})

/** Makes a request with a message's shortcut. @returns the form and the service's prompt */
async function askAbout(h: Bed, message: MessageRef, where: { channel?: string } = {}) {
  const shown = await h.formAbout(message)
  await h.slack.as(ADA).submitModal({ prompt: "document that in the docs", ...where })
  const [prompt = ""] = await h.promptsSent()
  return { shown, prompt }
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

test("ASK-4: a message that a request or the shortcut's one passes on is quoted, and what comes of the shortcut is in that message's thread", async (h) => {
  const original = await h.slack.as(BEN).post(RANDOM, "keys last <90> days")
  const message = await h.slack.as(BEN).post(DOCS, "look", { forward: original })
  h.docs.planAll(READY)
  const { shown, prompt } = await askAbout(h, message)
  expect(shown).toContain("keys last <90> days")
  const quoted = "> Forwarded from Ben: keys last <90> days"
  expect(prompt).toContain(`> ben: look\n${quoted}`)
  await h.botSays(/Your pull request is ready/, { thread: message.ts })
  await h.slack.as(CLEO).mention(DOCS, "document that in the docs", { forward: original })
  expect((await h.promptsSent(2))[1]).toBe(`${PASSED_ON}\n${quoted}`)
})
