import { expect, test } from "vitest"
import { botSays } from "../../helpers/reading.ts"
import { promptOf, talk } from "../../helpers/talk.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { BEN } from "../../sandbox/slack/index.ts"

const testBed = useTestBed()
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
