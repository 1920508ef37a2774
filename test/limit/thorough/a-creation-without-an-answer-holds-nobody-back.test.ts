import { expect, test } from "vitest"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { type Bed, FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { queueFacts } from "../../helpers/waiting.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

const { testBed } = useTestBed()

const ask = ({ slack }: Bed, text: string) => slack.as(ADA).slash(DOCS, "/docs-agent", text)

/** Pauses that outlast the test: what goes on does so because nothing is paused. */
const LONG = { firstMs: 600_000, outageFirstMs: 600_000, longestMs: 600_000 }

test("a creation that is never answered holds nobody else back while the service is well", async () => {
  const env = { DOCS_TIMEOUT_MS: "4000" }
  const h = await testBed({ env, timing: { ...FAST_TIMING, pauses: LONG } })
  h.docs.fail({ type: "hang", kind: "create", times: 1 })
  await ask(h, "fix the page without an answer")
  await botSays(h, /Starting/)
  await expect.poll(async () => (await queueFacts(h.services)).log).toHaveLength(1)
  await ask(h, "fix the page that is asked for next")
  await docsUntil(h, ({ creations }) => creations.length === 1)
  expect(JSON.stringify(botMessages(h.slack))).not.toContain("Couldn't confirm")
  await botSays(h, /Couldn't confirm/)
  await ask(h, "fix the page that is asked for last")
  await docsUntil(h, ({ creations }) => creations.length === 2)
})

test("creations that are never answered do not burn the queue, even if reads are answered", async () => {
  const env = { DOCS_TIMEOUT_MS: "300" }
  const h = await testBed({ env, timing: { ...FAST_TIMING, pauses: LONG } })
  h.docs.fail({ type: "hang", kind: "create" })
  for (const n of [1, 2, 3, 4, 5]) await ask(h, `do not burn ${n}`)
  const unclear = ({ text }: { text: string }) => /^<@.*Couldn't confirm/.test(text)
  await h.slack.until((s) => botMessages(s).filter(unclear).length === 2)
  await botSays(h, /documentation service isn't responding/)
  expect((await queueFacts(h.services)).waiting).toHaveLength(3)
})
