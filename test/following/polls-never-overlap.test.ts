import { expect } from "vitest"
import { docsUntil } from "../helpers/reading.ts"
import { joined } from "../helpers/restarted.ts"
import { useTestBed } from "../helpers/test-bed.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { test } = useTestBed()

test("FOL-1: polls of one job never overlap, though two workers look and the service is slow", async (h) => {
  await using _ = await joined(h)
  // Longer than the longest wait between two polls.
  h.docs.fail({ type: "delay", ms: 300, kind: "get" })
  const polls = () => h.docs.requests.filter(({ kind }) => kind === "get")

  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart page")
  await docsUntil(h, () => polls().length >= 4)

  const overlaps = polls().filter(({ at }, n, all) => {
    const before = all[n - 1]
    return before !== undefined && at < before.at + before.ms
  })
  expect(overlaps).toEqual([])
})
