import { expect, test } from "vitest"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { promptOf, talk } from "../../helpers/talk.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const testBed = useTestBed()
/** Options that turn every follow-up into a new job. */
const OFF = { env: { DOCS_MESSAGE_PATH: "off" } }

test("names files without fetching them, and spells mentions", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).post(DOCS, "see @ben <script> & https://example.com/a")
  await h.slack.as(BEN).post(DOCS, "the log", {
    thread: root.ts,
    files: [{ name: "error.log", content: "secret content" }],
  })
  const prompt = await promptOf(h, root, "write it up")
  expect(prompt).toContain("> ada: see @ben <script> & https://example.com/a")
  expect(prompt).toContain("[attached: error.log (text/plain, 1 kB)]")
  expect(prompt).not.toContain("secret content")
})

test("somebody whom Slack does not show is left out, and nobody else is", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const hidden = { method: "users.info", kind: "error", error: "user_not_visible" } as const
  h.slack.fail({ ...hidden, matching: ({ user }) => user === BEN })
  const root = await talk(h, ["the quickstart is old", "said by ben"])
  const prompt = await promptOf(h, root, "write it up")
  expect(prompt).toContain("> ada: the quickstart is old")
  expect(prompt).not.toContain("said by ben")
})

test("the newest of 8,000 messages travel, with at most twenty reads", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const root = await talk(
    h,
    Array.from({ length: 8000 }, (_, n) => `point ${n} of a long talk`),
  )
  const prompt = await promptOf(h, root, "turn this into a how-to")
  expect(prompt).toContain("Older ones were left out.")
  const numbers = [...prompt.matchAll(/: point (\d+) of a long talk/g)].map(([, n]) => Number(n))
  expect(numbers.at(-1)).toBe(7999)
  expect(numbers.length).toBeGreaterThan(90)
  expect(numbers).toEqual(numbers.map((_, n) => (numbers[0] ?? 0) + n))
  const reads = h.slack.calls.filter(({ method }) => method === "conversations.replies")
  expect(reads.length).toBeLessThanOrEqual(20)
})

test("SAFE-10: of 300 messages of 12 kB, which one answer of Slack cannot hold, the newest travel", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const long = "and so on ".repeat(1200)
  const root = await talk(
    h,
    Array.from({ length: 300 }, (_, n) => `point ${n} ${long}`),
  )
  const prompt = await promptOf(h, root, "turn this into a how-to")
  expect(prompt).toContain("Older ones were left out.")
  expect(prompt).toMatch(/point 299 and so on/)
  const card = await botSays(h, /requested a docs change/)
  expect(card.text).not.toContain("aren't included")
})

test("a mention after one without a pull request carries the first one's words, and nothing that the bot said", async () => {
  const h = await testBed(OFF)
  h.docs.planAll({ ending: "no_pull_request", afterMs: 20 })
  const root = await h.slack.as(ADA).mention(DOCS, "write the guide")
  await botSays(h, /Finished without/, { thread: root.ts })
  await h.slack.as(BEN).mention(DOCS, "shorten it in the docs", { thread: root.ts })
  await docsUntil(h, (docs) => docs.creations.length === 2)
  const prompt = h.docs.creations[1]?.prompt
  expect(prompt).toContain("> write the guide")
  expect(prompt).not.toMatch(/requested a docs change|Finished without/)
})

test("what the bot itself posts starts nothing, even where Slack does not mark it", async () => {
  const h = await testBed()
  const user = h.services.slack.state.identity?.user ?? ""
  const event = { type: "app_mention", user, text: `<@${user}> fix the intro`, channel: DOCS }
  expect((await h.slack.sendEvent({ ...event, ts: "1795000000.000200" })).ok).toBe(true)
  // A request is stored before Slack gets its acknowledgement.
  expect(await h.services.front.jobs.ofUser(user, 1)).toEqual([])
  expect(h.slack.ephemerals(user)).toEqual([])
})
