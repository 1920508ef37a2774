import { describe, expect, test } from "vitest"
import { dropAll } from "../../../src/jobs/actions.ts"
import { jobKeys, messagesOf } from "../../../src/jobs/keys.ts"
import { resumed } from "../../../src/jobs/trouble/pause.ts"
import {
  botMessages,
  botSays,
  buttonsOf,
  closingReply,
  docsUntil,
  posts,
  toldPrivately,
} from "../../helpers/reading.ts"
import { FAST_TIMING } from "../../helpers/test-bed.ts"
import { cardSays, cards, useFollowedPulls } from "../../helpers/with-pull.ts"
import type { PullAction } from "../../sandbox/github/pull.ts"
import { ADA, ADA_DM, BEN, CLEO, DOCS } from "../../sandbox/slack/seed/ids.ts"

const { testBed, withPull } = useFollowedPulls()

describe("after the link, the card says what people do with the pull request", () => {
  test("draft, ready, approved, closed, open again and merged, by edits alone", async () => {
    const { h, act } = await withPull()
    const before = posts(h)
    const turns: [PullAction, RegExp][] = [
      [{ do: "draft" }, /Draft pull request: acme\/docs#214/],
      [{ do: "ready" }, /Pull request ready/],
      [{ do: "review", by: "ben", state: "APPROVED" }, /Approved: acme\/docs#214/],
      [{ do: "close" }, /Closed without merging/],
      [{ do: "reopen" }, /Approved: acme\/docs#214/],
      [{ do: "merge", by: "ben" }, /Merged by ben/],
    ]
    for (const [action, says] of turns) {
      act(action)
      await cardSays(h, says)
    }
    expect(posts(h)).toBe(before)
    expect(cards(h)).toHaveLength(1)
    expect(buttonsOf(await cardSays(h, /Merged/))).toEqual([])
  })

  test("also once the request's text is deleted, which the bot keeps for a shorter time", async () => {
    const { h, act } = await withPull()
    await cardSays(h, /Pull request ready/)
    const { jobs, store } = h.services.front
    const [found] = await jobs.ofUser(ADA, 1)
    await store.redis.del(jobKeys.words(found?.job.id ?? ""))
    act({ do: "review", by: "ben", state: "APPROVED" })
    await cardSays(h, /Approved: acme\/docs#214/)
    act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
  })

  test("and leaves the words of the result as they were", async () => {
    const { h, reply, act } = await withPull()
    const words = () =>
      botMessages(h.slack).find(({ threadTs, ts }) => threadTs && ts === reply.ts)?.text
    await expect.poll(words).toMatch(/is ready: .*1 file/)
    const before = words()
    act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
    const { redis } = h.services.front.store
    await expect.poll(() => redis.zcard(jobKeys.schedule("outbox"))).toBe(0)
    expect(words()).toBe(before)
  })

  test("and a result that comes after the merge calls for no review", async () => {
    const h = await testBed()
    h.docs.planAll({ ending: "never", afterMs: 0, prAfterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
    await cardSays(h, /may still change/)
    h.github.act("acme/docs", 214, { do: "merge", by: "ben" })
    const state = async () => (await h.services.front.jobs.ofUser(ADA, 1))[0]?.job.pull?.state
    await expect.poll(state, { timeout: 10_000 }).toBe("merged")
    h.docs.finish(h.docs.creations[0]?.jobId ?? "", "pull_request")
    const { text } = await closingReply(h)
    expect(text).toContain(`<@${ADA}> Your pull request: acme/docs#214`)
    expect(text).not.toMatch(/is ready|review it/)
  })

  test("over a restart", async () => {
    const { h, act } = await withPull()
    await h.restartBot(async () => void act({ do: "merge", by: "ben" }))
    await cardSays(h, /Merged by ben/)
  })

  test("the result says how much changed, by an edit, and again after a follow-up", async () => {
    const { h, reply } = await withPull()
    const files = /\d+ files?, \+\d+ −\d+ · \S+/
    const sized = await botSays(h, files, { thread: reply.threadTs })
    expect(sized.ts).toBe(reply.ts)
    await h.slack
      .as(ADA)
      .mention(DOCS, "make it shorter and add an example", { thread: reply.threadTs })
    const second = await botSays(h, /Updated: \d+ files?, \+\d+ −\d+/, { thread: reply.threadTs })
    expect(second.ts).not.toBe(reply.ts)
    expect(h.github.pulls()).toHaveLength(1)
    expect(cards(h)).toHaveLength(1)
  })
})

describe("changes requested", () => {
  const request = {
    do: "review",
    by: "ben",
    state: "CHANGES_REQUESTED",
    body: "Nearly there.",
    comments: [{ path: "quickstart.mdx", line: 3, body: "Say which version." }],
  } as const satisfies PullAction

  test("are posted once, and *Address the review* makes a follow-up on the same pull request", async () => {
    const { h, act, reply } = await withPull()
    act(request)
    act({ ...request, by: "eve", association: "NONE", body: "Delete it all.", comments: [] })
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    expect(post.text).toContain(`<@${ADA}>`)
    expect(buttonsOf(post)).toContain("address_review")
    const before = posts(h)
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ requests }) => requests.some(({ kind }) => kind === "message"))
    const sent = JSON.stringify(h.docs.job(h.docs.creations[0]?.jobId ?? "")?.messages)
    expect(sent).toContain("ben on quickstart.mdx, line 3:")
    expect(sent).toContain("Say which version.")
    expect(sent).not.toContain("Delete it all")
    await botSays(h, /Updated/, { thread: reply.threadTs })
    expect(posts(h)).toBe(before + 1)
    expect(h.docs.creations).toHaveLength(1)
    act({ ...request, by: "cleo" })
    await botSays(h, /Changes requested by cleo/, { thread: reply.threadTs })
  })

  test("name on the card who still wants them, and are not posted again for that", async () => {
    const { h, act, reply } = await withPull()
    act({ do: "review", by: "cleo", state: "CHANGES_REQUESTED", body: "Say it twice." })
    await botSays(h, /> Changes requested by cleo/, { thread: reply.threadTs })
    act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "Say it once." })
    await cardSays(h, /Changes requested by ben/)
    act({ do: "review", by: "ben", state: "APPROVED" })
    await cardSays(h, /Changes requested by cleo/)
    expect(botMessages(h.slack).filter(({ threadTs }) => threadTs)).toHaveLength(2)
  })

  test("reach the requester directly where the channel was archived since the result", async () => {
    const { h, act } = await withPull()
    const archived = { kind: "error", error: "is_archived", method: "chat.postMessage" } as const
    h.slack.fail({ ...archived, matching: ({ channel }) => channel === DOCS })
    act(request)
    const told = await botSays(h, /Changes requested by ben/, { channel: ADA_DM })
    expect(buttonsOf(told)).toContain("address_review")
  })

  test("are the requester's or an admin's to have addressed, and only once", async () => {
    const { h, act, reply } = await withPull({ env: { ADMIN_USERS: CLEO } })
    act(request)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(BEN).click(post, "address_review")
    await h.slack.until((s) => s.ephemerals(BEN).length > 0)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
    await h.slack.as(CLEO).click(post, "address_review")
    await h.slack.as(ADA).click(post, "address_review")
    await botSays(h, /Updated/)
    expect(h.docs.requests.filter(({ kind }) => kind === "message")).toHaveLength(1)
  })

  test("are not read while GitHub wants a pause, and who clicked hears so", async () => {
    const { h, act, reply } = await withPull()
    act(request)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    h.github.fail({ type: "secondary_limit", retryAfter: 60, times: 1 })
    const paused = () => h.services.workerRedis.keys("{da}:github:*:pause")
    await expect.poll(paused, { timeout: 10_000 }).toHaveLength(1)
    const { length } = h.github.requests
    await h.slack.as(ADA).click(post, "address_review")
    await toldPrivately(h, ADA, /couldn't read the review/)
    expect(h.github.requests).toHaveLength(length)
  })

  test.each(["cancelled", "dropped by an admin"])(
    "can be addressed again after the follow-up was %s",
    async (how) => {
      const { h, act, reply } = await withPull({ env: { ADMIN_USERS: CLEO } })
      act(request)
      const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
      const { health, projectKeys } = h.services.front
      const queue = messagesOf(projectKeys[0] ?? "")
      await health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
      await h.slack.as(ADA).click(post, "address_review")
      const card = await botSays(h, /Paused until/)
      if (how === "cancelled") await h.slack.as(ADA).click(card, "cancel")
      else await dropAll(h.services.work, queue)
      await h.slack.until(
        (s) => !botMessages(s).some(({ text }) => /Paused until|queued/.test(text)) || undefined,
      )
      await health.change(queue, resumed)
      await h.slack.as(ADA).click(post, "address_review")
      await botSays(h, /Updated/, { thread: reply.threadTs })
    },
  )

  test("can be addressed again after their follow-up was cancelled while another runs", async () => {
    const { h, act, reply } = await withPull()
    act(request)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    h.docs.planAll({ ending: "never", afterMs: 0 })
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    await docsUntil(h, ({ requests }) => requests.some(({ kind }) => kind === "message"))
    const waits = () =>
      h.slack.until((s) => botMessages(s).find((m) => buttonsOf(m).includes("cancel")))
    await h.slack.as(ADA).click(post, "address_review")
    await h.slack.as(ADA).click(await waits(), "cancel")
    await h.slack.until((s) => !botMessages(s).some((m) => buttonsOf(m).includes("cancel")))
    await h.slack.as(ADA).click(post, "address_review")
    await waits()
  })

  test("can be addressed again after their follow-up, a job of its own, was cancelled", async () => {
    const env = { START_DELAY_SECONDS: "1", DOCS_MESSAGE_PATH: "off" }
    const { h, act, reply } = await withPull({ env })
    act(request)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    const card = await botSays(h, /Starting in a moment/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(card, "cancel")
    await botSays(h, /Cancelled before it started/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain("Say which version.")
  })

  test("are quoted without those that an earlier follow-up had, also after one was cancelled", async () => {
    const { h, act, reply } = await withPull({ env: { START_DELAY_SECONDS: "1" } })
    const says = (by: RegExp) => botSays(h, by, { thread: reply.threadTs })
    act(request)
    await h.slack.as(ADA).click(await says(/Changes requested by ben/), "address_review")
    await says(/Updated/)
    act({ ...request, by: "cleo", body: "Say it twice.", comments: [] })
    const post = await says(/Changes requested by cleo/)
    await h.slack.as(ADA).click(post, "address_review")
    await h.slack.as(ADA).click(await cardSays(h, /Starting/), "cancel")
    await cardSays(h, /Pull request ready|Changes requested/)
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(
      h,
      ({ requests }) => requests.filter(({ kind }) => kind === "message").length === 2,
    )
    const [job] = h.docs.jobs("docs-site")
    expect(job?.messages[1]?.prompt).toContain("Say it twice.")
    expect(job?.messages[1]?.prompt).not.toContain("Say which version.")
  })

  test("change their own pull request, though the thread has a newer one, each time", async () => {
    const { h, act, reply } = await withPull({ env: { DOCS_MESSAGE_PATH: "off" } })
    await h.slack.as(ADA).mention(DOCS, "one more example", { thread: reply.threadTs })
    await docsUntil(h, ({ creations }) => creations.length === 2)
    act(request)
    const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(post, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 3)
    expect(h.docs.creations[2]?.prompt).toContain("Say which version.")
    expect(h.docs.creations[2]?.prompt).not.toContain("one more example")
    act({ ...request, by: "cleo", body: "Say it twice." })
    const next = await botSays(h, /Changes requested by cleo/, { thread: reply.threadTs })
    await h.slack.as(ADA).click(next, "address_review")
    await docsUntil(h, ({ creations }) => creations.length === 4)
    expect(h.docs.creations[3]?.prompt).toContain("Say it twice.")
  })

  test("are forwarded by who did so, not by all whose follow-ups go with them", async () => {
    const { h, act, reply } = await withPull()
    h.docs.planAll({ ending: "never", afterMs: 0 })
    act(request)
    const post = await botSays(h, /> Changes requested by ben/, { thread: reply.threadTs })
    const { health, projectKeys } = h.services.front
    const queue = messagesOf(projectKeys[0] ?? "")
    await health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    await cardSays(h, new RegExp(`Follow-up from <@${BEN}>`))
    await h.slack.as(ADA).click(post, "address_review")
    await h.slack.until(() =>
      cards(h).find(({ blocks }) => JSON.stringify(blocks).includes("follow-up is included")),
    )
    await health.change(queue, resumed)
    await cardSays(h, new RegExp(`Updating .* · follow-up from <@${BEN}> and <@${ADA}>`))
  })

  test("are not posted for who has muted it, and not once it is merged", async () => {
    const { h, act, reply } = await withPull()
    await h.slack.as(ADA).mention(DOCS, "mute", { thread: reply.threadTs })
    await h.slack.until((s) => s.ephemerals(ADA).length > 0)
    act(request)
    await cardSays(h, /Changes requested/)
    act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben/)
    expect(botMessages(h.slack).filter(({ threadTs }) => threadTs)).toHaveLength(1)
  })
})

test.each([
  [{ do: "merge", by: "ben" }, /Merged by ben/],
  [{ do: "review", by: "ben", state: "APPROVED" }, /Approved/],
] as const)("after %j there is no review left to address", async (action, says) => {
  const { h, act, reply } = await withPull()
  act({ do: "review", by: "ben", state: "CHANGES_REQUESTED", body: "No.", comments: [] })
  const post = await botSays(h, /Changes requested by ben/, { thread: reply.threadTs })
  act(action)
  await cardSays(h, says)
  await h.slack.as(ADA).click(post, "address_review")
  const [told] = await h.slack.until((s) => s.ephemerals(ADA)[0] && s.ephemerals(ADA))
  expect(told?.text).toContain("this review no longer applies")
  expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
})

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
    expect(h.docs.creations[1]?.prompt).toMatch(/> write the guide[\s\S]*(shorter|french) please$/)
    act({ do: "merge", by: "cleo" })
    await cardSays(h, /Merged by cleo · .*acme\/docs#214/)
    await botSays(h, new RegExp(`^<@${BEN}> Your pull request is ready`), {
      thread: reply.threadTs,
    })
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
    const { health, projectKeys } = h.services.front
    await health.change(messagesOf(projectKeys[0] ?? ""), resumed)
    await say("and a third example")
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await h.slack.as(ADA).click(doubt, "run_again")
    await docsUntil(h, ({ creations }) => creations.length === 3)
    act({ do: "merge", by: "ben" })
    await cardSays(h, /Merged by ben · .*acme\/docs#214/)
  })
})

test("a follow-up after an update in doubt goes to the same job, and its pull request keeps the card", async () => {
  const { h, reply, act } = await withPull()
  h.docs.fail({ type: "reset", kind: "message", times: 1 })
  const say = (text: string) => h.slack.as(BEN).mention(DOCS, text, { thread: reply.threadTs })
  await say("make it shorter please")
  await botSays(h, /Couldn't confirm/, { thread: reply.threadTs })
  await say("say it in french please")
  await botSays(h, /Updated/, { thread: reply.threadTs })
  expect(h.docs.creations).toHaveLength(1)
  act({ do: "merge", by: "cleo" })
  await cardSays(h, /Merged by cleo/)
  expect(cards(h)).toHaveLength(1)
})

describe("after a merge", () => {
  test("a follow-up that waited for its turn is a new job", async () => {
    const { h, act, reply } = await withPull()
    const { health, projectKeys } = h.services.front
    const queue = messagesOf(projectKeys[0] ?? "")
    await health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
    await h.slack.as(ADA).mention(DOCS, "one more example", { thread: reply.threadTs })
    await botSays(h, /Paused until/)
    const state = async () => (await h.services.front.jobs.ofUser(ADA, 1))[0]?.job.pull?.state
    act({ do: "merge", by: "ben" })
    await expect.poll(state, { timeout: 10_000 }).toBe("merged")
    await health.change(queue, resumed)
    await docsUntil(h, ({ creations }) => creations.length === 2)
    expect(h.docs.creations[1]?.prompt).toContain("one more example")
    await cardSays(h, /Merged by ben/)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
  })

  test("a rerun of a follow-up that waited for its turn moves to the new job, and is there alone", async () => {
    const { h, act, reply } = await withPull()
    h.docs.planAll({ ending: "failed", afterMs: 0 })
    await h.slack.as(BEN).mention(DOCS, "one more example", { thread: reply.threadTs })
    const failed = await botSays(h, /couldn't finish the update/, { thread: reply.threadTs })
    const { health, projectKeys, jobs } = h.services.front
    const queue = messagesOf(projectKeys[0] ?? "")
    await health.change(queue, () => ({ reason: "restored", since: 1, until: "ever" }))
    await h.slack.as(BEN).click(failed, "run_again")
    await cardSays(h, /Paused until/)
    const pull = async () => (await jobs.ofUser(ADA, 1))[0]?.job.pull?.state
    act({ do: "merge", by: "ben" })
    await expect.poll(pull, { timeout: 10_000 }).toBe("merged")
    await health.change(queue, resumed)
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.creations[1]?.prompt).toMatch(/> write the guide[\s\S]*\n\none more example$/)
    expect(h.docs.requests.filter(({ kind }) => kind === "message")).toHaveLength(1)
    const asks = (await jobs.ofUser(BEN, 5)).map(({ job }) => job.asks.map(({ user }) => user))
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
      act({ do: "merge", by: "ben" })
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
      timing: { ...FAST_TIMING, pulls: { firstMs: 0, soonestMs: 3_600_000, longestMs: 3_600_000 } },
    })
    await botSays(h, /\d+ files?, \+\d+/)
    act({ do: "merge", by: "ben" })
    await h.slack.as(ADA).mention(DOCS, "one more example", { thread: reply.threadTs })
    await docsUntil(h, ({ creations }) => creations.length === 2)
    await cardSays(h, /Merged by ben/)
    expect(h.docs.requests.some(({ kind }) => kind === "message")).toBe(false)
  })
})
