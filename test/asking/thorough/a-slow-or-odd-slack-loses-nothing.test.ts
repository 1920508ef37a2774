import { expect } from "vitest"
import { SCOPES } from "../../../src/slack/scopes.ts"
import { ask, NOTES } from "../../helpers/attached-files.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed({ slack: { scopes: [...Object.keys(SCOPES), "files:read"] } })

test.each(["http", "socket"] as const)(
  "a command and a mention, by %s, are taken at once, and sent once when Slack has said it",
  async (mode) => {
    const h = await testBed({ mode })
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
    await h.botSays(/Working on it/, { thread: posted.ts })
    const prompts = await h.promptsSent(2)
    await h.slack.redeliver(undefined, { number: 2, reason: "http_timeout" })
    expect(prompts.sort()).toEqual(["and this in the docs", "fix it in the docs"])
  },
)

test("somebody whom Slack does not show is left out, and nobody else is", async (h) => {
  const hidden = { kind: "error", error: "user_not_visible", method: "users.info" } as const
  h.slack.fail({ ...hidden, matching: ({ user }) => user === BEN })
  const root = await h.talk(["the quickstart is old", "said by ben"])
  const prompt = await h.promptOf(root, "write it up")
  expect(prompt).toContain("> ada: the quickstart is old")
  expect(prompt).not.toContain("said by ben")
})

const LONG = "and so on ".repeat(1200)

test.each([
  ["8,000 messages", 8000, "of a long talk", 91],
  ["600 messages of 12 kB, of which no answer of Slack holds many,", 600, LONG, 4],
])(
  "SAFE-10: of %s the first and the newest travel, with at most twenty reads",
  async (_, count, long, least) => {
    const h = await testBed()
    const lines = Array.from({ length: count }, (_, n) => `point ${n} ${long}`)
    const root = await h.talk(lines)
    const prompt = await h.promptOf(root, "turn this into a how-to")
    expect(prompt).toContain("Some after the first were left out.")
    const numbers = [...prompt.matchAll(/: point (\d+) /g)].map(([, n]) => Number(n))
    expect(numbers[0]).toBe(0)
    const newest = numbers.slice(1)
    expect(newest).toEqual(newest.map((_, n) => count - newest.length + n))
    expect(newest.length).toBeGreaterThanOrEqual(least)
    const reads = h.slack.calls.filter(({ method }) => method === "conversations.replies")
    expect(reads.length).toBeLessThanOrEqual(20)
    const card = await h.botSays(/requested a docs change/)
    expect(card.text).not.toContain("aren't included")
  },
)

test("Slack is asked again for a file when it says so, and where it has trouble with one, the job starts without", async (h) => {
  h.slack.fail({ kind: "rate_limited", retryAfter: 1, method: "files.info", times: 1 })
  expect((await ask(h, [NOTES])).prompt).toContain("> last 90 days")
  h.slack.fail({ kind: "status", status: 500, method: "files.info" })
  expect((await ask(h, [NOTES], "use that in the docs")).prompt).toContain(": not quoted")
  await h.toldPrivately(ADA, /couldn't download it/)
})
