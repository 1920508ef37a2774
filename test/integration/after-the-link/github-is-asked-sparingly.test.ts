import { describe, expect, test } from "vitest"
import { keys } from "../../../src/redis/keys.ts"
import { closingReply } from "../../helpers/reading.ts"
import { joined } from "../../helpers/restarted.ts"
import { FAST_TIMING, useTestBed } from "../../helpers/test-bed.ts"
import { MovableClock } from "../../sandbox/clock/movable-clock.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"
import { SECRETS, type TestBed } from "../../sandbox/test-bed.ts"

const testBed = useTestBed({ followsPulls: true })
const HOUR_MS = 3_600_000

/** A job that ended with a pull request, which is followed. */
async function withPull(more: Parameters<typeof testBed>[0] = {}) {
  const h = await testBed(more)
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await closingReply(h)
  return h
}

const review = ({ github }: TestBed) =>
  github.act("acme/docs", 214, { do: "review", state: "COMMENTED" })
const merge = ({ github }: TestBed) => github.act("acme/docs", 214, { do: "merge", by: "ben" })
const isMerged = ({ slack }: TestBed) =>
  slack.until((s) =>
    s
      .channel(DOCS)
      .all()
      .some(({ text }) => /Merged by ben/.test(text)),
  )
/** Resolves when no look is on its way: a lease ends in half a millisecond. */
const rests = ({ services }: TestBed) =>
  expect
    .poll(
      async () => {
        const [, next] = await services.workerRedis.zrange(keys.pulls, "0", "0", "WITHSCORES")
        return Number(next) % 1
      },
      { timeout: 10_000 },
    )
    .toBe(0)
const asked = ({ github }: TestBed) =>
  expect.poll(() => github.requests.length, { timeout: 10_000 })

describe("the bot's share of the token's hour", () => {
  // "You can make up to 5,000 requests per hour": here 40, of which a quarter is 10.
  test("is under a quarter of what GitHub grants, for two workers together", async () => {
    const clock = new MovableClock()
    const h = await withPull({ clock, github: { requestsPerHour: 40 } })
    await using other = await joined(h, { env: { GITHUB_TOKEN: SECRETS.gitHubToken } })
    expect(other.services.pulls).toBeDefined()
    // Each look finds something new, so none is free.
    for (let n = 0; n < 20; n += 1) {
      review(h)
      clock.moveOn(1000)
      await h.bot.worker?.passes.pulls?.()
    }
    expect(h.github.requests.length).toBeLessThanOrEqual(10)
    expect(h.github.requests.length).toBeGreaterThanOrEqual(8)
  })
})

describe("somebody who wants to see it causes a look at once", () => {
  const RARE = { ...FAST_TIMING, pulls: { firstMs: 20, soonestMs: HOUR_MS, longestMs: HOUR_MS } }

  test.each(["the Home tab", "status"])("%s", async (by) => {
    const clock = new MovableClock()
    const h = await withPull({ clock, timing: RARE })
    await asked(h).toBe(2)
    await rests(h)
    merge(h)
    // People who look again and again cause one look in twenty seconds.
    clock.moveOn(30_000)
    if (by === "status") await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
    else await h.slack.as(ADA).openHome()
    await isMerged(h)
  })

  test("but not of what was looked at just now", async () => {
    const h = await withPull({ timing: RARE })
    await asked(h).toBe(2)
    await rests(h)
    for (let n = 0; n < 3; n += 1) {
      await h.slack.as(ADA).openHome()
      await h.bot.worker?.passes.pulls?.()
    }
    expect(h.github.requests.length).toBe(2)
  })

  test("but not of what is being looked at", async () => {
    const clock = new MovableClock()
    const h = await withPull({ clock, timing: RARE })
    await asked(h).toBe(2)
    await rests(h)
    h.github.fail({ type: "hang", times: 1 })
    clock.moveOn(30_000)
    await h.slack.as(ADA).openHome()
    await asked(h).toBe(3)
    for (let n = 2; n < 4; n += 1) {
      await h.slack.as(ADA).openHome()
      await h.slack.until(
        ({ calls }) => calls.filter(({ method }) => method === "views.publish").length >= n,
      )
      await h.bot.worker?.passes.pulls?.()
    }
    expect(h.github.requests.length).toBe(3)
  })
})

test.each([
  ["in upper case", (link: string) => link.replace("acme/docs/pull", "ACME/Docs/PULL")],
  ["with a page of it", (link: string) => `${link}/files?w=1#diff`],
  ["with a comment", (link: string) => `${link}#issuecomment-1`],
])("a link %s leads to the same pull request", async (_, written) => {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  const ends = h.docs.subscribe((event) => {
    if (event.type !== "job" || !event.job.prLink || event.job.forcedLink) return
    h.docs.setPrLink(event.job.id, written(event.job.prLink))
  })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await closingReply(h)
  ends()
  merge(h)
  await isMerged(h)
})
