import { describe, expect, test } from "vitest"
import { allAsks } from "../../../src/jobs/rounds.ts"
import { PAUSES } from "../../../src/limit/pauses.ts"
import { pauseMessages, resumeAll } from "../../helpers/put-off.ts"
import { botSays, docsUntil } from "../../helpers/reading.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { cardSays, cards, useFollowedPulls } from "../../helpers/with-pull.ts"
import { ADA, BEN, DOCS } from "../../sandbox/slack/index.ts"

const { withPull } = useFollowedPulls({ timing: FAST_TIMING })

describe("after an update that came to nothing", () => {
  test.each([
    ["a follow-up to a failed", { ending: "failed" as const }, "say it in french please"],
    ["a retry of an archived", { ending: "archived" as const }, "retry"],
  ])("%s one is a new job, and the open pull request keeps its card", async (_, plan, words) => {
    const { h, act, reply } = await withPull({ env: { START_DELAY_SECONDS: "1" } })
    h.docs.planAll({ ...plan, afterMs: 0 })
    const say = (text: string) => h.slack.as(BEN).mention(DOCS, text, { thread: reply.threadTs })
    await say("make it shorter please")
    await botSays(h, /finish the update|Archived in/, { thread: reply.threadTs })
    h.docs.planAll({ ending: "pull_request", afterMs: 0 })
    await say(words)
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toMatch(/(shorter|french) please\n[\s\S]*> write the guide/)
    await act({ do: "merge", by: "cleo" })
    await cardSays(h, /Merged by cleo · .*acme\/docs#214/)
    await botSays(h, new RegExp(`^<@${BEN}> Your pull request is ready`), {
      thread: reply.threadTs,
    })
  })

  test("an edited one is a new job without the words that were taken out", async () => {
    const { h, reply } = await withPull()
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    await h.slack.as(BEN).mention(DOCS, "name host-7.internal too", { thread: reply.threadTs })
    const failed = await botSays(h, /finish the update/, { thread: reply.threadTs })
    await h.slack.as(BEN).click(failed, "edit_and_run")
    await h.slack.as(BEN).submitModal({ prompt: "name the host too" })
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toMatch(/^name the host too\n[\s\S]*> write the guide/)
    expect(h.docs.creations[1]?.prompt).not.toContain("host-7")
  })

  test("the card of a job that is looked for again names nobody whose request is in a new one", async () => {
    const { h, reply } = await withPull()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    h.docs.fail({ type: "status", status: 404, kind: "get", times: 2 })
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    const gone = await botSays(h, /Not found/, { thread: reply.threadTs })
    await h.slack.as(BEN).click(gone, "run_again")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await h.slack.as(ADA).click(gone, "look_again")
    await cardSays(h, /Updating acme\/docs#214 \(\S+\)$/m)
  })

  test("a rerun is a new job once the service takes no messages, and the pull request keeps its card", async () => {
    const { h, act, reply } = await withPull()
    h.docs.fail({ type: "reset", kind: "message", times: 1 })
    h.docs.fail({ type: "status", status: 405, kind: "message" })
    const say = (text: string) => h.slack.as(ADA).mention(DOCS, text, { thread: reply.threadTs })
    await say("one more example")
    const doubt = await botSays(h, /Couldn't confirm/, { thread: reply.threadTs })
    await resumeAll(h)
    await say("and a third example")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await h.slack.as(ADA).click(doubt, "run_again")
    await docsUntil(h, ({ creations }) => creations.length === 3)
    await act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben · .*acme\/docs#214/)
  })
})

test("a follow-up after an update in doubt goes to the same job, and its pull request keeps the card", async () => {
  // The answer that never came pauses the queue as an outage does.
  const pauses = { ...PAUSES, outageFirstMs: 50 }
  const { h, reply, act } = await withPull({ timing: { ...FAST_TIMING, pauses } })
  h.docs.fail({ type: "reset", kind: "message", times: 1 })
  const say = (text: string) => h.slack.as(BEN).mention(DOCS, text, { thread: reply.threadTs })
  await say("make it shorter please")
  await botSays(h, /Couldn't confirm/, { thread: reply.threadTs })
  await say("say it in french please")
  await botSays(h, /Updated/, { thread: reply.threadTs })
  expect(h.docs.creations).toHaveLength(1)
  await act({ do: "merge", by: "cleo" })
  await cardSays(h, /Merged by cleo/)
  expect(cards(h)).toHaveLength(1)
})

describe("after a merge", () => {
  test("a rerun of a follow-up that waited for its turn moves to the new job, and is there alone", async () => {
    const { h, act, reply } = await withPull()
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    const failed = await botSays(h, /couldn't finish the update/, { thread: reply.threadTs })
    const { jobs } = h.services.front
    await pauseMessages(h)
    await h.slack.as(BEN).click(failed, "run_again")
    await cardSays(h, /Paused until/)
    const pull = async () => (await jobs.ofUser(ADA))[0]?.job.pull?.state
    await act({ do: "merge", by: "ben" })
    await expect.poll(pull, { timeout: 10_000 }).toBe("merged")
    await resumeAll(h)
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.creations[1]?.prompt).toMatch(/^one more example\n\n[\s\S]*> write the guide/)
    expect(h.docs.requests.filter(({ kind }) => kind === "message")).toHaveLength(1)
    const asks = (await jobs.ofUser(BEN)).map(({ job }) => allAsks(job).map(({ user }) => user))
    expect(asks).toEqual([[BEN], [ADA]])
  })

  test.each([
    ["a follow-up to", "and a third example", ADA],
    ["a retry of", "retry", BEN],
  ])(
    "%s a rejected update is a new job, and the card stays that of the merge",
    async (_, words, user) => {
      const { h, act, reply } = await withPull()
      h.docs.fail({ type: "status", status: 400, kind: "message", times: 1 })
      await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
      await botSays(h, /Rejected by/, { thread: reply.threadTs })
      await act({ do: "merge", by: "ben" })
      const card = await cardSays(h, /Merged by ben/)
      await h.slack.as(user).mention(DOCS, words, { thread: reply.threadTs })
      await docsUntil(h, ({ creations }) => creations.length === 2)
      await botSays(h, /requested a docs change/, { thread: reply.threadTs })
      expect(cards(h)).toEqual([card])
    },
  )

  test("a follow-up makes the bot look before it sends it", async () => {
    const { h, act, reply } = await withPull({
      env: { START_DELAY_SECONDS: "1" },
      timing: {
        ...FAST_TIMING,
        pulls: { firstMs: 0, soonestMs: 3_600_000, longestMs: 3_600_000, eachMs: 0 },
      },
    })
    await botSays(h, /\d+ files?, \+\d+/)
    await act({ do: "merge", by: "ben" })
    await h.slack.as(ADA).mention(DOCS, "one more example", { thread: reply.threadTs })
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
  })
})
