import { setTimeout as delay } from "node:timers/promises"
import { expect } from "vitest"
import { clientOf, quiet } from "../helpers/local-slack.ts"
import { surprises } from "../helpers/silence.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"
import { SECRETS, type TestBed } from "../sandbox/test-bed.ts"

// Every other test relies on this: after its last word, the bot does nothing more.
const { test } = useTestBed()

const ask = ({ slack }: TestBed) => slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart")

test("a card after the last word is seen, and so is the creation that follows it", async (h) => {
  const held = h.slack.hold("chat.postMessage")
  await ask(h)
  const found = surprises(h)
  // Several looks long.
  await delay(100)
  held.release()
  expect(await found).toEqual([
    expect.stringMatching(/^after the test's last word, posted in C0DOCS0001: ada requested/),
    "after the test's last word, created: fix the quickstart",
  ])
})

test("the result of what the service has is none, but a second one is", async (h) => {
  h.docs.planAll({ ending: "pull_request", afterMs: 100 })
  await ask(h)
  await h.docsUntil(({ creations }) => creations.length === 1)
  const { metadata } = await h.botSays(/request is ready/)
  expect(await surprises(h)).toEqual([])
  const client = clientOf(h.slack, SECRETS.botToken)
  const text = "Your pull request is ready"
  const posting = client.apiCall("chat.postMessage", { channel: DOCS, text, metadata, ...quiet })
  const again = surprises(h)
  await posting
  expect(await again).toEqual([expect.stringContaining("posted in C0DOCS0001")])
})
