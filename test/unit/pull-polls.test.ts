import { describe, expect, test } from "vitest"
import { TIMING } from "../../src/config/timing.ts"
import { pullRefOf } from "../../src/github/links.ts"
import { LONGEST_MS, untilNextPoll } from "../../src/pulls/life.ts"
import { newsOf } from "../../src/pulls/poll-pulls.ts"
import type { FollowedPull } from "../../src/pulls/ports.ts"

const GITHUB = "https://api.github.com"
const ref = { owner: "acme", repo: "docs", number: 7 }
const pull: FollowedPull = {
  id: "p",
  ref,
  since: 0,
  facts: undefined,
  state: undefined,
  failures: 0,
  reminded: false,
}

describe("which links are followed", () => {
  test.each([
    ["https://github.com/acme/docs/pull/7", GITHUB],
    ["HTTPS://GITHUB.COM/acme/docs/PULL/7", GITHUB],
    ["https://github.com/acme/docs/pull/7/files?w=1#diff", GITHUB],
    ["https://github.com/acme/docs/pull/7/", GITHUB],
    ["https://git.example/acme/docs/pull/7", "https://git.example/api/v3"],
    ["https://git.example/code/acme/docs/pull/7", "https://git.example/code/api/v3/"],
    ["https://api.git.example/acme/docs/pull/7", "https://api.git.example/api/v3"],
    ["https://acme.ghe.com/acme/docs/pull/7", "https://api.acme.ghe.com"],
  ])("%s at %s", (link, api) => {
    expect(pullRefOf(link, api)).toEqual(ref)
  })

  test.each([
    ["https://gitlab.com/acme/docs/pull/7", GITHUB],
    ["https://github.com.evil.example/acme/docs/pull/7", GITHUB],
    ["https://github.com/acme/docs/pull/7x", GITHUB],
    ["https://github.com/acme/docs/issues/7", GITHUB],
    ["https://github.com/acme/docs/pull/99999999999999", GITHUB],
    ["javascript:alert(1)", GITHUB],
    ["https://git.example/acme/docs/pull/7", "https://git.example/code/api/v3"],
    ["not a link", GITHUB],
  ])("not %s at %s", (link, api) => {
    expect(pullRefOf(link, api)).toBeUndefined()
  })
})

describe("polls of a pull request", () => {
  const intervals = TIMING.pulls
  const open = { phase: "open", updatedAt: 0, verdict: "none", reviewedAt: 0 } as const
  const see = (answer: Parameters<typeof newsOf>[1], now: number, known = pull) =>
    newsOf(known, answer, now, intervals)

  test("begin within a minute, and grow to hours", () => {
    expect(intervals.firstMs).toBeLessThan(60_000)
    expect(untilNextPoll(0, intervals)).toBeLessThanOrEqual(60_000)
    expect(untilNextPoll(30 * 60_000, intervals)).toBeLessThanOrEqual(60_000)
    expect(untilNextPoll(10 * 86_400_000, intervals)).toBe(4 * 3_600_000)
  })

  test("are soon again after a review", () => {
    const reviewed = { ...open, reviewedAt: 5 * 86_400_000 } as const
    const facts = { kind: "facts", facts: reviewed } as const
    expect(see(facts, 5 * 86_400_000 + 1000).waitMs).toBeLessThanOrEqual(60_000)
  })

  test("end after thirty days, once it is merged, and when it is gone", () => {
    expect(see({ kind: "facts", facts: open }, LONGEST_MS).waitMs).toBeUndefined()
    expect(see({ kind: "later" }, LONGEST_MS).waitMs).toBeUndefined()
    const merged = { ...open, phase: "merged" } as const
    expect(see({ kind: "facts", facts: merged }, 1000)).toMatchObject({ state: "merged" })
    expect(see({ kind: "facts", facts: merged }, 1000).waitMs).toBeUndefined()
    expect(see({ kind: "gone" }, 1000).waitMs).toBeUndefined()
  })

  test("without an answer come later and later, and not before GitHub allows", () => {
    const waits = [0, 1, 2].map((failures) =>
      Number(see({ kind: "later" }, 1000, { ...pull, failures }).waitMs),
    )
    expect(waits).toEqual([30_000, 60_000, 120_000])
    expect(see({ kind: "later", pauseMs: 900_000 }, 1000).waitMs).toBe(900_000)
  })
})
