import { expect } from "vitest"
import { readResultsCommand } from "../../src/pulls/results-channels.ts"
import { key } from "../../src/store/redis-keys.ts"
import { forgetMe } from "../helpers/forget-me.ts"
import { botMessages, botSays, closingReply, toldPrivately } from "../helpers/reading.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { testIn } from "../helpers/test-bed.ts"
import { act, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, ADA_DM, DOCS, EDITORS } from "../sandbox/slack/index.ts"
import type { TestBed } from "../sandbox/test-bed.ts"

const { testBed, withPull } = useFollowedPulls()
const test = testIn(listening)

/** Starts a bot whose results go to the editors' channel, and an agent that opens pull requests. */
async function listening() {
  const h = await testBed()
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await turnOn(h)
  return h
}

async function turnOn(h: TestBed) {
  await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "results on")
  await botSays(h, /turned on results here/, { channel: EDITORS })
}

const RESULT = /^(Ready for review|Merged|Closed without merging)/

test("PUL-9: a channel gets one line for each pull request, which says what became of it", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")

  const line = await botSays(h, RESULT, { channel: EDITORS })
  expect(line.text).toMatch(/^Ready for review: .*#\d+.*request.* by ada/)
  expect(line.text).not.toContain("<@")
  const [card] = botMessages(h.slack)
  expect(JSON.stringify(line.blocks)).toContain(`/p${card?.ts.replace(".", "")}|request>`)
  await closingReply(h)
  await act(h, { do: "draft" })
  await botSays(h, /^Draft: .*#\d+/, { channel: EDITORS })
  await act(h, { do: "ready" })
  await botSays(h, RESULT, { channel: EDITORS })
  await act(h, { do: "merge", by: "cleo" })
  const merged = await botSays(h, /^Merged by cleo: .*\) Write the guide · /, { channel: EDITORS })
  await botSays(h, /^<@.*Merged by cleo/)
  expect(merged.ts).toBe(line.ts)
  expect(botMessages(h.slack, EDITORS).filter(({ text }) => RESULT.test(text))).toHaveLength(1)
})

test("PUL-9: a merge is posted also where the request was ready before `on` and its last follow-up failed", async () => {
  const h = await testBed()
  const followUp = { ending: "failed", afterMs: 20 } as const
  h.docs.planAll({ ending: "pull_request", afterMs: 20, followUp })
  await h.slack.as(ADA).mention(DOCS, "write the guide")
  const { threadTs: thread } = await botSays(h, /Your pull request is ready/)
  await turnOn(h)
  await h.slack.as(ADA).mention(DOCS, "also shorten the intro", { thread })
  await botSays(h, /couldn't finish the update/, { thread })
  await act(h, { do: "merge", by: "cleo" })
  await botSays(h, /^<@.*Merged by cleo/, { thread })
  await botSays(h, /^Merged by cleo/, { channel: EDITORS })
})

test("SAFE-6: a channel whose record can't be read is named in the log, and stops no other", async (h) => {
  await h.services.workerRedis.hset(key("results", "channels"), DOCS, "by hand")
  await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "results list")
  const listed = await toldPrivately(h, ADA, /Channels that get all results/)
  expect(listed.text).toContain(EDITORS)
  expect(h.lines.find((line) => line.includes("unreadable record"))).toContain(DOCS)
})

test("PUL-9: `off` ends it at once, and nothing older than `on` is posted", async () => {
  const { h, act } = await withPull()
  await turnOn(h)
  await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "results on")
  await toldPrivately(h, ADA, /already gets all results/)
  await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "results off")
  await botSays(h, /turned off results here/, { channel: EDITORS })
  await act({ do: "merge", by: "cleo" })
  await botSays(h, /^<@.*[Mm]erged/)
  expect(botMessages(h.slack, EDITORS).filter(({ text }) => RESULT.test(text))).toEqual([])
})

test("PUL-9: a channel that was archived since is listed no more, and who turned it on hears so once", async (h) => {
  const list = async () =>
    (await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "results list")).shown?.text
  const matching = ({ channel }: { channel?: unknown }) => channel === EDITORS
  const archived = { kind: "error", error: "is_archived", method: "chat.postMessage" } as const
  h.slack.fail({ ...archived, matching })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await closingReply(h)
  await expect.poll(list).toMatch(/^No channel gets results/)
  const told = await botSays(h, /^No more results in/, { channel: ADA_DM })
  expect(botMessages(h.slack, ADA_DM)).toEqual([told])
})

test("PUL-9, ASK-28: after `forget-me`, nothing that is kept of a line names who asked", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await botSays(h, /^Ready for review: .* by ada$/, { channel: EDITORS })
  await forgetMe(h.slack, ADA)
  expect(await dumpRedis(h.services.workerRedis)).not.toContain("by ada")
})

test.each([
  ["results", "list"],
  ["results ON", "on"],
  ["results maybe", "unclear"],
  ["results page is empty", undefined],
  ["resultson", undefined],
])("PUL-9: %j is read as %s", (typed, wish) => {
  expect(readResultsCommand(typed)).toBe(wish)
})

test("PUL-9: a request in a private channel or a direct message is shown in no other, and is no fault in the log", async () => {
  const h = await testBed({ env: { LOG_LEVEL: "warn" } })
  h.docs.planAll({ ending: "pull_request", afterMs: 20 })
  await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "results on")
  await botSays(h, /^Results need a channel/, { channel: ADA_DM })
  await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "results maybe")
  await botSays(h, /^`results` takes/, { channel: ADA_DM })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "results on")
  await h.slack.as(ADA).slash(EDITORS, "/docs-agent", "write the secret guide")
  await botSays(h, /request ready/, { channel: EDITORS })
  await h.slack.as(ADA).slash(ADA_DM, "/docs-agent", "write my secret guide")
  await botSays(h, /request ready/, { channel: ADA_DM })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")

  await botSays(h, RESULT)
  const lines = botMessages(h.slack).filter(({ text }) => RESULT.test(text))
  expect(lines.map(({ text }) => text).join()).not.toMatch(/secret/)
  expect(lines).toHaveLength(1)
  expect(h.lines).toEqual([])
})

test("PUL-9: what becomes of a request is shown in no other channel once its own turned private", async (h) => {
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  const line = await botSays(h, RESULT, { channel: EDITORS })
  await closingReply(h)

  // Slack says this of a private channel that the bot has not joined.
  const method = "conversations.info"
  h.slack.fail({ kind: "error", error: "channel_not_found", method })
  const asked = () => h.slack.calls.filter((call) => call.method === method).length
  const before = asked()
  await act(h, { do: "merge", by: "cleo" })
  await botSays(h, /^<@.*Merged by cleo/)
  await expect.poll(asked).toBeGreaterThan(before)
  const results = botMessages(h.slack, EDITORS).filter(({ text }) => RESULT.test(text))
  expect(results.map(({ text }) => text)).toEqual([line.text])
})

test("PUL-9: a worker that died over the post is followed by one that looks for it first", async (h) => {
  h.slack.fail({
    kind: "reset",
    when: "after",
    method: "chat.postMessage",
    matching: ({ channel }) => channel === EDITORS,
    times: 1,
  })
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "write the guide")
  await botSays(h, RESULT, { channel: EDITORS })
  await h.restartBot()
  await act(h, { do: "merge", by: "cleo" })
  await botSays(h, /^Merged by cleo/, { channel: EDITORS })
  await botSays(h, /^<@.*Merged by cleo/)
  expect(botMessages(h.slack, EDITORS).filter(({ text }) => RESULT.test(text))).toHaveLength(1)
})
