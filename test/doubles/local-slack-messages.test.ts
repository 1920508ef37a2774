import { describe, expect, it } from "vitest"
import { quiet, refusal, useLocalSlack } from "../helpers/local-slack.ts"
import type { JsonObject } from "../sandbox/kit/json.ts"
import { ADA, DOCS } from "../sandbox/slack/index.ts"

const h = useLocalSlack()
const letters = (count: number) => "x".repeat(count)
const section = (length: number) => ({
  type: "section",
  text: { type: "plain_text", text: letters(length) },
})

function post(args: JsonObject) {
  return h.client.apiCall("chat.postMessage", { channel: DOCS, ...quiet, ...args })
}

describe("the content of a message", () => {
  it.each<[string, JsonObject, string]>([
    ["nothing", {}, "no_text"],
    ["blanks", { text: " " }, "no_text"],
    ["blocks that are no list", { text: "x", blocks: "none" }, "invalid_blocks_format"],
    [
      "too much in all blocks together",
      { text: "x", blocks: Array.from({ length: 5 }, () => section(2700)) },
      "msg_blocks_too_long",
    ],
    ["metadata that is no object", { text: "x", metadata: "none" }, "invalid_metadata_format"],
    [
      "metadata without a payload",
      { text: "x", metadata: { event_type: "a" } },
      "invalid_metadata_schema",
    ],
    [
      "a book of metadata",
      { text: "x", metadata: { event_type: "a", event_payload: { a: letters(9000) } } },
      "metadata_too_large",
    ],
    ["no channel", { channel: "", text: "x" }, "invalid_arguments"],
  ])("may not be %s", async (_name, args, code) => {
    expect(await refusal(post(args))).toBe(code)
    expect(h.slack.channel(DOCS).all()).toEqual([])
  })
})

describe("an edit", () => {
  it("marks the message only without blocks, and keeps them only if sent again", async () => {
    const { ts } = await h.client.chat.postMessage({ channel: DOCS, text: "1", ...quiet })
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

it('may have its words in blocks or attachments, of another app: its "text" may be empty', async () => {
  const root = await h.slack.as(ADA).post(DOCS, "deploys")
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*v2* is out" } }]
  h.slack.postAsApp(DOCS, { blocks, thread: root.ts, username: "Deploys of v2" })
  h.slack.postAsApp(DOCS, { attachments: [{ title: "Failed", text: "step 3" }], thread: root.ts })
  const { messages } = await h.client.conversations.replies({ channel: DOCS, ts: root.ts })
  const classic = { subtype: "bot_message", bot_profile: { name: "Deploys" }, text: "" }
  expect(messages?.slice(1)).toMatchObject([
    { ...classic, username: "Deploys of v2", blocks },
    { ...classic, attachments: [{ title: "Failed", text: "step 3" }] },
  ])
  expect(messages?.[1]).not.toHaveProperty("user")
  expect(messages?.[2]).not.toHaveProperty("username")
})
