import { expect, test } from "vitest"
import { botSays } from "../helpers/reading.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"

const testBed = useTestBed({ mode: "socket" })

async function ready(port: number): Promise<{ status: number; body: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`)
  return { status: answer.status, body: await answer.text() }
}

test("the main job, a mention and a click work without a public URL", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "never", afterMs: 0 })
  const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "over the socket")
  expect(asked.shown?.text).toContain("Accepted")
  const card = await botSays(h, /is working/)
  await h.slack.as(ADA).click(card, "stop_following")
  await botSays(h, /No longer followed/)
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const posted = await h.slack.as(ADA).mention(DOCS, "and a mention")
  await botSays(h, /is ready/, { thread: posted.ts })
  expect((await ready(h.bot.port)).status).toBe(200)
})

test("it holds more than one connection, so that a refresh leaves no hole", async () => {
  const h = await testBed()
  expect(h.slack.sockets.open).toBeGreaterThanOrEqual(2)
})

test("while no connection is left it is not ready, and it comes back by itself", async () => {
  const h = await testBed()
  h.slack.sockets.cut()
  await expect
    .poll(() => ready(h.bot.port), { timeout: 3000 })
    .toMatchObject({ status: 503, body: expect.stringContaining("no Socket Mode connection") })
  await expect.poll(() => ready(h.bot.port), { timeout: 15_000 }).toMatchObject({ status: 200 })
})
