import { expect } from "vitest"
import { forgetPerson } from "../../../src/asking/forget-me.ts"
import { botMessages, botSays, docsUntil } from "../../helpers/reading.ts"
import { dumpRedis } from "../../helpers/redis-dump.ts"
import { type Bed, useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()

function prompts({ docs }: Bed): string[] {
  return docs.creations.map(({ prompt }) => prompt).sort()
}

test.each(["http", "socket"] as const)(
  "a command and a mention, by %s, are taken at once, and sent once when Slack has said it",
  async (mode) => {
    const h = await testBed({ mode })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    const held = h.slack.hold("users.info")
    const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix it in the docs")
    expect(asked.error).toBeUndefined()
    expect(asked.shown).toBeUndefined()
    const posted = await h.slack.as(BEN).mention(DOCS, "and this in the docs")
    expect(posted.deliveries).toMatchObject([{ ok: true }])
    // Slack's retry finds the stored request.
    const again = await h.slack.redeliver(undefined, { number: 1, reason: "http_timeout" })
    expect(again.ok).toBe(true)
    expect(h.docs.creations).toEqual([])

    held.release()
    await botSays(h, /request is ready/, { thread: posted.ts })
    await docsUntil(h, (docs) => docs.creations.length === 2)
    await h.slack.redeliver(undefined, { number: 2, reason: "http_timeout" })
    expect(prompts(h)).toEqual(["and this in the docs", "fix it in the docs"])
  },
)

test("a request comes to nothing when its person is forgotten meanwhile", async (h) => {
  const held = h.slack.hold("users.info")
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the canary")
  await forgetPerson(h.services.work, ADA)
  held.release()
  await h.slack.as(BEN).slash(DOCS, "/docs-agent", "fix the footer")
  await botSays(h, /Working on it/)
  expect(prompts(h)).toEqual(["fix the footer"])
  expect(await dumpRedis(h.services.workerRedis)).not.toContain("canary")
  expect(botMessages(h.slack).some(({ text }) => text.includes("canary"))).toBe(false)
})
