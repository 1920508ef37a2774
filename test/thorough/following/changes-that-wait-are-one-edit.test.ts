import { expect, test } from "vitest"
import { botMessages, closingReply } from "../../helpers/reading.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

/** Rates with so few edits that some have to wait. */
const rates = { ...FAST_TIMING.rates, edit: [1000, 1] } as const
const testBed = useTestBed({ followsPulls: true, timing: { ...FAST_TIMING, rates } })

test("changes of a card that wait for Slack are one edit, to its latest state", async () => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await closingReply(h)
  const [pull] = h.github.pulls()
  if (!pull) throw new Error("The job opened no pull request")
  const edits = () => h.slack.calls.filter(({ method }) => method === "chat.update").length
  const cardSays = (says: RegExp) =>
    h.slack.until((slack) =>
      botMessages(slack).find(({ threadTs, text }) => !threadTs && says.test(text)),
    )
  const noticed = async (action: PullAction) => {
    h.github.act(pull.repository, pull.number, action)
    await h.bot.worker?.passes.pulls?.()
    const { length } = h.github.requests
    await expect.poll(() => h.github.requests.length).toBeGreaterThan(length)
  }
  await cardSays(/Pull request ready/)
  const before = edits()

  await noticed({ do: "draft" })
  await noticed({ do: "ready" })
  await noticed({ do: "close" })
  await noticed({ do: "reopen" })
  await noticed({ do: "review", by: "ben", state: "APPROVED" })

  await cardSays(/Approved/)
  // One for the first change, and one for all changes while Slack accepted no edit.
  expect(edits() - before).toBeLessThanOrEqual(2)
})
