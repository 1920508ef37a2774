import { expect, test } from "vitest"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { cardSays, useFollowedPulls } from "../../helpers/with-pull.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"

/** Rates with so few edits that some have to wait. */
const rates = { ...FAST_TIMING.rates, edit: [1000, 1] } as const
const { withPull } = useFollowedPulls()

test("changes of a card that wait for Slack are one edit, to its latest state", async () => {
  const { h, act } = await withPull({ timing: { ...FAST_TIMING, rates } })
  const edits = () => h.slack.calls.filter(({ method }) => method === "chat.update").length
  const noticed = async (action: PullAction) => {
    act(action)
    await h.bot.worker?.passes.pulls?.()
    const { length } = h.github.requests
    await expect.poll(() => h.github.requests.length).toBeGreaterThan(length)
  }
  await cardSays(h, /Pull request ready/)
  const before = edits()

  await noticed({ do: "draft" })
  await noticed({ do: "ready" })
  await noticed({ do: "close" })
  await noticed({ do: "reopen" })
  await noticed({ do: "review", by: "ben", state: "APPROVED" })

  await cardSays(h, /Approved/)
  // One for the first change, and one for all changes while Slack accepted no edit.
  expect(edits() - before).toBeLessThanOrEqual(2)
})
