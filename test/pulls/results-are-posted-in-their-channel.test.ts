import { expect } from "vitest"
import { readResultsCommand } from "../../src/pulls/results-channels.ts"
import { key } from "../../src/store/redis-keys.ts"
import { forgetMe } from "../helpers/forget-me.ts"
import { dumpRedis } from "../helpers/redis-dump.ts"
import { type Bed, READY, testIn } from "../helpers/test-bed.ts"
import { act, useFollowedPulls } from "../helpers/with-pull.ts"
import { ADA, ADA_DM, DOCS, EDITORS } from "../sandbox/slack/index.ts"

const { testBed, withPull } = useFollowedPulls({ plan: READY })
const test = testIn(listening)

const type = (h: Bed, words: string, channel: string = DOCS) =>
  h.slack.as(ADA).slash(channel, "/docs-agent", words)

/** Starts a bot whose results go to the editors' channel, and an agent that opens pull requests. */
async function listening() {
  const h = await testBed()
  await turn(h, "on")
  return h
}

async function turn(h: Bed, way: "on" | "off") {
  await type(h, `results ${way}`, EDITORS)
  await says(h, new RegExp(`turned ${way} results here`))
}

const RESULT = /^(Ready for review|Merged|Closed without merging)/

const says = (h: Bed, words = RESULT) => h.botSays(words, { channel: EDITORS })
const results = (h: Bed, channel: string = EDITORS) =>
  h.botMessages(channel).flatMap(({ text }) => (RESULT.test(text) ? [text] : []))

/** Merges the pull request, and waits until its requester is told. */
async function merge(h: Bed) {
  await act(h, { do: "merge", by: "cleo" })
  await h.botSays(/^<@.*Merged by cleo/)
}

test("PUL-9: a channel gets one line for each pull request, which says what became of it", async (h) => {
  await type(h, "write the guide")
  const line = await says(h)
  expect(line.text).toMatch(/^Ready for review: .*#\d+.*request.* by ada/)
  expect(line.text).not.toContain("<@")
  const [card] = h.botMessages()
  expect(JSON.stringify(line.blocks)).toContain(`/p${card?.ts.replace(".", "")}|request>`)
  await h.closingReply()
  await act(h, { do: "draft" })
  await says(h, /^Draft: .*#\d+/)
  await act(h, { do: "ready" })
  await says(h)
  await merge(h)
  const merged = await says(h, /^Merged by cleo: .*\) Write the guide · /)
  expect(merged.ts).toBe(line.ts)
  expect(results(h)).toHaveLength(1)
})

test("PUL-9: a merge is posted also where the request was ready before `on` and its last follow-up failed", async () => {
  const followUp = { ending: "failed", afterMs: 20 } as const
  const h = await testBed({ plan: { ...READY, followUp } })
  await h.slack.as(ADA).mention(DOCS, "write the guide")
  const { threadTs: thread } = await h.botSays(/Your pull request is ready/)
  await turn(h, "on")
  await h.slack.as(ADA).mention(DOCS, "also shorten the intro", { thread })
  await h.botSays(/couldn't finish the update/, { thread })
  await merge(h)
  await says(h, /^Merged by cleo/)
})

test("SAFE-6: a channel whose record can't be read is named in the log, and stops no other", async (h) => {
  await h.services.workerRedis.hset(key("results", "channels"), DOCS, "by hand")
  await type(h, "results list", EDITORS)
  const listed = await h.toldPrivately(ADA, /Channels that get all results/)
  expect(listed.text).toContain(EDITORS)
  expect(h.lines.find((line) => line.includes("unreadable record"))).toContain(DOCS)
})

test("PUL-9: `off` ends it at once, and nothing older than `on` is posted", async () => {
  const { h } = await withPull()
  await turn(h, "on")
  await type(h, "results on", EDITORS)
  await h.toldPrivately(ADA, /already gets all results/)
  await turn(h, "off")
  await merge(h)
  expect(results(h)).toEqual([])
})

test("PUL-9: a channel that was archived since is listed no more, and who turned it on hears so once", async (h) => {
  const matching = ({ channel }: { channel?: unknown }) => channel === EDITORS
  const archived = { kind: "error", error: "is_archived", method: "chat.postMessage" } as const
  h.slack.fail({ ...archived, matching })
  await type(h, "write the guide")
  await h.closingReply()
  const list = async () => (await type(h, "results list", EDITORS)).shown?.text
  await expect.poll(list).toMatch(/^No channel gets results/)
  const told = await h.botSays(/^No more results in/, { channel: ADA_DM })
  expect(h.botMessages(ADA_DM)).toEqual([told])
})

test("PUL-9, ASK-28: after `forget-me`, nothing that is kept of a line names who asked", async (h) => {
  await type(h, "write the guide")
  await says(h, /^Ready for review: .* by ada$/)
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
  await type(h, "results on", ADA_DM)
  await h.botSays(/^Results need a channel/, { channel: ADA_DM })
  await type(h, "results maybe", ADA_DM)
  await h.botSays(/^`results` takes/, { channel: ADA_DM })
  await type(h, "results on")
  for (const [channel, whose] of Object.entries({ [EDITORS]: "their", [ADA_DM]: "my" })) {
    await type(h, `write ${whose} secret guide`, channel)
    await h.botSays(/request ready/, { channel })
  }
  await type(h, "write the guide")
  await h.botSays(RESULT)
  expect(results(h, DOCS)).toEqual([expect.not.stringContaining("secret")])
  expect(h.lines).toEqual([])
})

test("PUL-9: what becomes of a request is shown in no other channel once its own turned private", async (h) => {
  await type(h, "write the guide")
  const line = await says(h)
  await h.closingReply()
  // Slack says this of a private channel that the bot has not joined.
  const method = "conversations.info"
  const asked = h.slack.fail({ kind: "error", error: "channel_not_found", method })
  await merge(h)
  await expect.poll(() => asked.hits).toBeGreaterThan(0)
  expect(results(h)).toEqual([line.text])
})

test("PUL-9: a worker that died over the post is followed by one that looks for it first", async (h) => {
  const lost = { kind: "reset", when: "after", method: "chat.postMessage", times: 1 } as const
  h.slack.fail({ ...lost, matching: ({ channel }) => channel === EDITORS })
  await type(h, "write the guide")
  await says(h)
  await h.restartBot()
  await merge(h)
  await says(h, /^Merged by cleo/)
  expect(results(h)).toHaveLength(1)
})
