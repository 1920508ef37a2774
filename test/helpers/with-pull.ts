import { expect } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import type { PullAction } from "../sandbox/github/pull.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import type { TestBed } from "../sandbox/test-bed.ts"
import { botMessages, closingReply } from "./reading.ts"
import { useTestBed } from "./test-bed.ts"

/** Returns a test bed factory whose bot follows pull requests, and `withPull`. */
export function useFollowedPulls() {
  const testBed = useTestBed({ followsPulls: true })

  async function withPull(more: Parameters<typeof testBed>[0] = {}) {
    const h = await testBed(more)
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    const reply = await closingReply(h)
    const [pull] = h.github.pulls()
    if (!pull) throw new Error("The job opened no pull request")
    const act = (action: PullAction) => h.github.act(pull.repository, pull.number, action)
    return { h, reply, pull, act }
  }
  return { testBed, withPull }
}

export const cards = ({ slack }: TestBed) => botMessages(slack).filter(({ threadTs }) => !threadTs)

/** Resolves to the first card whose text matches, and after an end once people were told of it. */
export async function cardSays(h: TestBed, says: RegExp) {
  const card = await h.slack.until(() => cards(h).find(({ text }) => says.test(text)))
  const { redis } = h.services.work.store
  if (/Merged by|Closed without/.test(card.text))
    await expect.poll(() => redis.zcard(jobKeys.schedule("outbox"))).toBe(0)
  return card
}
