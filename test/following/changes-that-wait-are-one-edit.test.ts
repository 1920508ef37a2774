import { describe, expect } from "vitest"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { RATES, takeTurn } from "../../src/slack/rate-limits.ts"
import { openDelivery } from "../helpers/delivering.ts"
import { useRedis } from "../helpers/redis.ts"
import { FAST_TIMING } from "../helpers/test-bed.ts"
import { act, CHANGES_REQUESTED, cardSays, useFollowedPulls } from "../helpers/with-pull.ts"
import type { PullAction } from "../sandbox/github/pull.ts"
import { ADA, createRateLimits, DOCS, postsInChannel, tier3 } from "../sandbox/slack/index.ts"

/** Rates with so few edits that some have to wait. */
const rates = { ...FAST_TIMING.rates, edit: [1000, 1] } as const
const redis = useRedis()
const { test, withPull } = useFollowedPulls()

test("FOL-16: changes of a card that wait for Slack are one edit, to its latest state", async () => {
  const { h, act } = await withPull({ timing: { ...FAST_TIMING, rates } })
  const edits = () => h.slack.calls.filter(({ method }) => method === "chat.update").length
  const noticed = async (action: PullAction) => {
    const { length } = h.github.requests
    await act(action)
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

test("FOL-16: an edit of a reply that Slack makes late, under a lost lease, does not stay", async () => {
  const { h, act, reply } = await withPull()
  const edits = () =>
    h.slack.calls
      .filter(({ method, args }) => method === "chat.update" && args.ts === reply.ts)
      .map(({ args }) => args.text)
  await h.botSays(/is ready.* file/)
  const isOfReply = ({ ts }: { ts?: unknown }) => ts === reply.ts
  const late = h.slack.hold("chat.update", { matching: isOfReply, times: 1 })
  await act({ do: "draft" })
  await expect.poll(() => late.hits).toBe(1)

  // Ends the lease, so that another pass shows what is true by now.
  const { redis: store } = h.services.work.store
  const outbox = jobKeys.schedule("outbox")
  await store.zadd(outbox, "XX", 0, (await store.zrange(outbox, "0", "0"))[0] ?? "")
  await act({ do: "ready" })
  await cardSays(h, /Pull request ready/)
  late.release()

  const [draft, ready] = [expect.stringContaining("draft"), expect.stringContaining("is ready")]
  await expect.poll(() => edits().slice(-2)).toEqual([draft, ready])
})

test("FOL-16, FOL-8: a result and the news of its pull request are told although an edit of the card must wait for an hour", async (h) => {
  const edit = { kind: "rate_limited", retryAfter: 3600, method: "chat.update" } as const
  const limit = h.slack.fail(edit)
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await h.docsUntil(({ creations }) => creations.length === 1)
  await expect.poll(() => limit.hits).toBeGreaterThan(0)
  h.finish("pull_request")
  await h.botSays(/pull request is ready/)
  await act(h, CHANGES_REQUESTED)
  await h.botSays(/Changes requested by ben/)
  await act(h, { do: "merge" })
  await h.botSays(/merged/i)
})

describe("Slack's limits are kept", () => {
  const clock = { now: Date.UTC(2026, 10, 20) }
  const now = () => clock.now
  /** Slack's own limits, which throw at a call too many. */
  const slack = createRateLimits(true, now)

  test("by the cards of twenty people in one channel: about one a second", async () => {
    let posted = 0
    const post = async ({ channel }: { channel: string }) => {
      slack.spend(channel, postsInChannel)
      posted += 1
      return { ts: `1.${posted}`, channel }
    }
    const { ask, pass } = openDelivery(redis(), post, {}, now)
    for (let n = 0; n < 20; n += 1) await ask(`U${n}`)
    const began = clock.now
    while (posted < 20) clock.now += Math.min(await pass(), 1000)
    expect(clock.now - began).toBeLessThan(30_000)
  })

  test("by edits, of which one that somebody waits for goes before the others", async () => {
    const take = async (kind: "edit" | "answer") => {
      const waitMs = await takeTurn({ redis: redis(), now }, RATES, kind, "C1")
      if (waitMs === 0) slack.spend("chat.update", tier3)
      return waitMs
    }
    while ((await take("edit")) === 0);
    expect(await take("answer")).toBe(0)
    for (let n = 0; n < 200; n += 1) clock.now += await take("answer")
  })
})
