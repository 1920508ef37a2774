import { WebAPIRateLimitedError } from "@slack/web-api"
import { describe, expect, it } from "vitest"
import { failure, quiet, refusal, useLocalSlack } from "../helpers/local-slack.ts"
import { ADA, BEN, DOCS, LEADS, OLD_DOCS, RANDOM } from "../sandbox/slack/index.ts"

const h = useLocalSlack({ rateLimits: "slack" })

const post = (args: object = {}) =>
  h.client.chat.postMessage({ channel: DOCS, text: "hi", ...quiet, ...args })
const section = (length: number) => ({
  type: "section",
  text: { type: "plain_text", text: "x".repeat(length) },
})

describe("the token", () => {
  it("stops working when it is revoked or the app is uninstalled", async () => {
    h.slack.revokeToken()
    expect(await refusal(post())).toBe("token_revoked")
    h.slack.revokeToken("inactive")
    expect(await refusal(post())).toBe("account_inactive")
    h.slack.revokeToken("active")
    await post()
  })

  it("does what its scopes allow", async () => {
    h.slack.setScopes(["chat:write", "chat:write.public"])
    const call = h.client.users.info({ user: BEN })
    const provided = "chat:write,chat:write.public"
    await expect(call).rejects.toMatchObject({ data: { needed: "users:read", provided } })
    await post({ channel: RANDOM })
    expect(await refusal(h.client.conversations.history({ channel: DOCS }))).toBe("missing_scope")
  })
})

describe("Slack's limits", () => {
  it("let one post a second into a channel after a burst of five", async () => {
    for (let n = 0; n < 5; n += 1) await post()
    expect(await failure(post())).toMatchObject({ retryAfter: 1 })
    h.time += 1000
    await post()
    expect(await failure(post())).toBeInstanceOf(WebAPIRateLimitedError)
    expect(h.slack.calls.at(-1)).toMatchObject({ method: "chat.postMessage", error: "ratelimited" })
  })

  // "Tier 3: 50+ per minute"; Slack documents no larger burst after a quiet minute.
  it("let 50 edits into a workspace in any minute", async () => {
    const { ts } = await post()
    const edit = () => h.client.chat.update({ channel: DOCS, ts: String(ts), text: "hi" })
    for (let n = 0; n < 25; n += 1) await edit()
    h.time += 40_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 20 })
    h.time += 20_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 40 })
  })
})

const book = { event_type: "a", event_payload: { a: "x".repeat(9000) } }

it.each([
  ["a public channel without the bot", { channel: RANDOM }, "not_in_channel"],
  ["a private channel without the bot", { channel: LEADS }, "channel_not_found"],
  ["an archived channel", { channel: OLD_DOCS }, "is_archived"],
  ["a channel that is not there", { channel: "C0NOTHING" }, "channel_not_found"],
  ["no channel", { channel: "" }, "invalid_arguments"],
  ["a thread that is not there", { thread_ts: "1.000001" }, "thread_not_found"],
  ["no text", { text: undefined }, "no_text"],
  ["blank text", { text: " " }, "no_text"],
  ["blocks that are no list", { blocks: "none" }, "invalid_blocks_format"],
  [
    "too much in all blocks together",
    { blocks: Array(5).fill(section(2700)) },
    "msg_blocks_too_long",
  ],
  ["metadata that is no object", { metadata: "none" }, "invalid_metadata_format"],
  ["metadata without a payload", { metadata: { event_type: "a" } }, "invalid_metadata_schema"],
  ["a book of metadata", { metadata: book }, "metadata_too_large"],
])("chat.postMessage refuses %s", async (_, args, code) => {
  expect(await refusal(post(args))).toBe(code)
  expect(h.slack.channel(DOCS).all()).toEqual([])
})

it("records a method it does not know as a violation", async () => {
  expect(await refusal(h.client.apiCall("chat.meMessage"))).toBe("unknown_method")
  expect(h.slack.violations).toEqual(["unknown Web API method chat.meMessage"])
})

describe("an edit", () => {
  it("marks the message only without blocks, and keeps them only if sent again", async () => {
    const { ts } = await post()
    const edit = { channel: DOCS, ts: String(ts) }
    await h.client.chat.update({ ...edit, text: "2", blocks: [section(1)] })
    expect(h.slack.channel(DOCS).messages()[0]).toMatchObject({ edited: undefined, blocks: [{}] })
    await h.client.chat.update({ ...edit, text: "3" })
    expect(h.slack.channel(DOCS).messages()[0]).toMatchObject({ edited: {}, blocks: [] })
  })

  it("is for the bot's own messages", async () => {
    const { ts } = await h.slack.as(ADA).post(DOCS, "mine")
    const update = h.client.chat.update({ channel: DOCS, ts, text: "yours" })
    expect(await refusal(update)).toBe("cant_update_message")
  })
})

describe("reading", () => {
  const history = (more: object) => h.client.conversations.history({ channel: DOCS, ...more })
  const textsOf = ({ messages }: { messages?: { text?: string }[] }) =>
    messages?.map(({ text }) => text)

  /** Posts messages with their numbers, at a pace that Slack allows. @returns when each was sent */
  async function postMany(count: number, thread?: string): Promise<string[]> {
    const sent: string[] = []
    for (let n = 1; n <= count; n += 1) {
      h.time += 1000
      const { ts } = await post({ text: `${n}`, ...(thread ? { thread_ts: thread } : {}) })
      sent.push(String(ts))
    }
    return sent
  }

  it("pages through a channel, newest first, without replies", async () => {
    const [first] = await postMany(5)
    await postMany(2, first)
    const page = await history({ limit: 3 })
    expect(textsOf(page)).toEqual(["5", "4", "3"])
    const rest = await history({ limit: 3, cursor: page.response_metadata?.next_cursor })
    expect(textsOf(rest)).toEqual(["2", "1"])
    expect(rest).toMatchObject({ has_more: false, messages: [{}, { reply_count: 2 }] })
    expect(await refusal(history({ cursor: "nowhere" }))).toBe("invalid_cursor")
  })

  it("cuts a channel's and a thread's messages by time", async () => {
    const [oldest = "", , latest = ""] = await postMany(3)
    const range = { oldest, latest }
    expect(textsOf(await history(range))).toEqual(["2"])
    expect(textsOf(await history({ ...range, inclusive: true }))).toEqual(["3", "2", "1"])
    const [, second = ""] = await postMany(3, oldest)
    const tail = { channel: DOCS, ts: oldest, oldest: second }
    expect(textsOf(await h.client.conversations.replies(tail))).toEqual(["1", "3"])
  })

  it("begins a thread with its earliest message, also where a range or a page cuts it", async () => {
    const [root = ""] = await postMany(1)
    const replies = await postMany(6, root)
    const read = (more: object) =>
      h.client.conversations.replies({ channel: DOCS, ts: root, limit: 3, ...more })
    const latest = String(replies[4])
    const first = await read({ latest })
    expect(textsOf(first)).toEqual(["1", "1", "2"])
    expect(first.has_more).toBe(true)
    const next = await read({ latest, cursor: first.response_metadata?.next_cursor })
    expect(textsOf(next)).toEqual(["3", "4"])
    expect(next.has_more).toBe(false)
    // The result includes the root; only a range with `oldest` reaches the end of the thread.
    expect(textsOf(await read({ oldest: replies[3] }))).toEqual(["1", "5", "6"])
    expect(await refusal(read({ latest: "soon" }))).toBe("invalid_ts_latest")
  })

  it("shows nothing of a channel that the bot is not in", async () => {
    h.slack.setBotMembership(DOCS, false)
    expect(await refusal(history({}))).toBe("not_in_channel")
    expect(await refusal(history({ channel: LEADS }))).toBe("channel_not_found")
  })
})
