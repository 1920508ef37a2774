import { expect } from "vitest"
import { botSays } from "../../helpers/reading.ts"
import { promptOf, talk } from "../../helpers/talk.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { BEN } from "../../sandbox/slack/index.ts"

const { test, testBed } = useTestBed()
test("somebody whom Slack does not show is left out, and nobody else is", async (h) => {
  const hidden = { method: "users.info", kind: "error", error: "user_not_visible" } as const
  h.slack.fail({ ...hidden, matching: ({ user }) => user === BEN })
  const root = await talk(h, ["the quickstart is old", "said by ben"])
  const prompt = await promptOf(h, root, "write it up")
  expect(prompt).toContain("> ada: the quickstart is old")
  expect(prompt).not.toContain("said by ben")
})

test.each([
  ["8,000 messages", 8000, "of a long talk", 91],
  [
    "600 messages of 12 kB, of which no answer of Slack holds many,",
    600,
    "and so on ".repeat(1200),
    4,
  ],
])(
  "SAFE-10: of %s the first and the newest travel, with at most twenty reads",
  async (_, count, long, least) => {
    const h = await testBed()
    const root = await talk(
      h,
      Array.from({ length: count }, (_, n) => `point ${n} ${long}`),
    )
    const prompt = await promptOf(h, root, "turn this into a how-to")
    expect(prompt).toContain("Some after the first were left out.")
    const numbers = [...prompt.matchAll(/: point (\d+) /g)].map(([, n]) => Number(n))
    expect(numbers[0]).toBe(0)
    const newest = numbers.slice(1)
    expect(newest).toEqual(newest.map((_, n) => count - newest.length + n))
    expect(newest.length).toBeGreaterThanOrEqual(least)
    const reads = h.slack.calls.filter(({ method }) => method === "conversations.replies")
    expect(reads.length).toBeLessThanOrEqual(20)
    const card = await botSays(h, /requested a docs change/)
    expect(card.text).not.toContain("aren't included")
  },
)
