import { expect, test } from "vitest"
import { newId } from "../../src/jobs/job.ts"
import { jobKeys } from "../../src/jobs/job-keys.ts"
import { groupOf } from "../../src/messages/status-and-home.ts"
import { followedJob } from "../helpers/job.ts"
import { cardSays, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const { withPull, withReview } = useFollowedPulls()

const LINK = "https://github.com/acme/docs/pull/7"
const seen = { since: 0, lookedAt: 1 }
const requested = { ...seen, state: "changes_requested" } as const
const review = (state: "posted" | "addressed", round = "round1") => ({ id: "5", state, round })

test.each<[string, NonNullable<Parameters<typeof followedJob>[0]>, string]>([
  ["what runs", { state: "active" }, "Working"],
  ["what waits", { state: "queued" }, "Working"],
  ["what GitHub was not asked about yet", {}, "Ready"],
  ["what was seen before a follow-up", { pull: { ...seen, since: 2, state: "open" } }, "Ready"],
  ["an open one", { pull: { ...seen, state: "open" } }, "Waiting for review"],
  ["changes requested", { pull: { ...requested, review: review("posted") } }, "Needs you"],
  ["addressed ones", { pull: { ...requested, review: review("addressed") } }, "Waiting for review"],
  [
    "ones of an earlier round",
    { pull: { ...requested, review: review("posted", "r0") } },
    "Waiting for review",
  ],
  ["a merged one", { pull: { ...seen, state: "merged" } }, "Done"],
  ["a closed one", { pull: { ...seen, state: "closed" } }, "Done"],
  ["what failed", { ending: "failed" }, "Done"],
  [
    "a failed update of an open one",
    { ending: "failed", prLink: LINK, pull: { ...seen, state: "open" } },
    "Waiting for review",
  ],
])("PUL-4: %s: %j is in the group %s", (_, facts, group) => {
  expect(groupOf(followedJob(facts), false)).toBe(group)
})

test("PUL-4: a pull request that nobody touches needs its requester", () => {
  expect(groupOf(followedJob({ pull: { ...seen, state: "open" } }), true)).toBe("Needs you")
})

test("PUL-4: what needs its requester is listed, however many newer requests there are, and after a week, when the words are deleted, by its pull request's title", async () => {
  const { h, act, pull } = await withReview()
  const status = async () =>
    (await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")).shown?.text
  const { workerRedis: redis, front } = h.services
  const id = (await front.jobs.ofUser(ADA))[0]?.job.id ?? ""
  const { prLink: _, pull: __, ...newer } = await redis.hgetall(jobKeys.record(id))
  const others = Array.from({ length: 99 }, newId)
  for (const [n, other] of others.entries()) {
    await redis.hset(jobKeys.record(other), newer)
    await redis.zadd(jobKeys.ofUser(ADA), Number(newer.at) + n + 1, other)
  }
  expect(await status()).toMatch(/^Needs you\n• Changes requested · /)
  await redis.zrem(jobKeys.ofUser(ADA), ...others)
  await redis.del(jobKeys.words(id))
  expect(await status()).toMatch(new RegExp(`Needs you\n• Changes requested · ${pull.title}`))
  expect(await status()).not.toContain("deleted")
  const home = JSON.stringify((await h.slack.as(ADA).openHome()).payload)
  expect(home).toContain(pull.title)
  await act({ do: "merge", by: "ben" })
  await cardSays(h, /Merged by ben/)
})

test("PUL-4: a pull request of two requests is listed once, as ready until GitHub was asked again", async () => {
  const { h, act } = await withPull({ goesOn: "GitHub answers a minute later" })
  await act({ do: "review", by: "ben", state: "APPROVED" })
  await cardSays(h, /Approved by ben/)
  const link = (await h.services.front.jobs.ofUser(ADA))[0]?.job.prLink ?? ""
  h.github.fail({ type: "secondary_limit", retryAfter: 60, times: 1 })
  h.docs.planAll({ ending: "never", afterMs: 0 })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "shorten the intro")
  await h.docsUntil(({ creations }) => creations.length === 2)
  const second = h.docs.creations[1]?.jobId ?? ""
  h.docs.setPrLink(second, link)
  h.docs.finish(second, "pull_request")
  await h.botSaysTimes(2, /request is ready/)
  const { shown } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "status")
  expect(shown?.text).toMatch(/^Ready\n• Ready · shorten the intro .* · acme\/docs#\d+/)
  expect(shown?.text.match(/acme\/docs#/g)).toHaveLength(1)
})
