import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { houseRules } from "../sandbox/house-rules.ts"
import { type JsonObject, stringIn } from "../sandbox/kit/json.ts"
import { ADA, BEN, DOCS, type LocalSlack, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
const letters = (count: number) => "x".repeat(count)
const section = (length: number) => ({
  type: "section",
  text: { type: "plain_text", text: letters(length) },
})
let slack: LocalSlack
let client: WebClient
let time: number

beforeEach(async () => {
  time = Date.UTC(2026, 10, 21)
  const own = { now: () => time, houseRules }
  const options = { signingSecret: "s", botToken, mode: "http" as const, ...own }
  // No bot listens; tests read response URLs from `deliveries`.
  slack = await startLocalSlack(options)
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

function responseUrlIn(payload: JsonObject = {}): string {
  return stringIn(payload, "response_url") ?? "no response URL"
}

function post(args: JsonObject) {
  return client.apiCall("chat.postMessage", { channel: DOCS, ...quiet, ...args })
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
    expect(slack.channel(DOCS).all()).toEqual([])
  })
})

describe("an edit", () => {
  it("marks the message only without blocks, and keeps them only if sent again", async () => {
    const { ts } = await client.chat.postMessage({ channel: DOCS, text: "1", ...quiet })
    const edit = { channel: DOCS, ts: String(ts) }
    await client.chat.update({ ...edit, text: "2", blocks: [section(1)] })
    expect(slack.channel(DOCS).messages()[0]).toMatchObject({ edited: undefined, blocks: [{}] })
    await client.chat.update({ ...edit, text: "3" })
    expect(slack.channel(DOCS).messages()[0]).toMatchObject({ edited: {}, blocks: [] })
  })

  it("is for the bot's own messages", async () => {
    const { ts } = await slack.as(ADA).post(DOCS, "mine")
    const update = client.chat.update({ channel: DOCS, ts, text: "yours" })
    expect(await refusal(update)).toBe("cant_update_message")
  })
})

describe("a response URL", () => {
  const answer = async (url: string, body: JsonObject) => {
    const headers = { "content-type": "application/json" }
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    return response.status
  }
  const clicked = async (message: { channel: string; ts: string }) => {
    await slack.as(BEN).click(message, "Go")
    return responseUrlIn(slack.deliveries.at(-1)?.delivery.payload)
  }
  const blocks = [
    {
      type: "actions",
      elements: [{ type: "button", text: { type: "plain_text", text: "Go" }, action_id: "go" }],
    },
  ]

  it("replaces or deletes the message that was clicked, public or private", async () => {
    const { ts } = await client.chat.postMessage({ channel: DOCS, text: "a", blocks, ...quiet })
    const url = await clicked({ channel: DOCS, ts: String(ts) })
    expect(await answer(url, { text: "b", replace_original: true })).toBe(200)
    expect(slack.channel(DOCS).messages()).toMatchObject([{ text: "b", blocks: [] }])
    const shown = await client.chat.postEphemeral({ channel: DOCS, user: BEN, text: "c", blocks })
    const own = await clicked({ channel: DOCS, ts: String(shown.message_ts) })
    expect(await answer(own, { delete_original: true })).toBe(200)
    expect(slack.ephemerals(BEN)).toEqual([])
  })

  it("refuses bad payloads, invented addresses and uses after half an hour", async () => {
    const { payload } = await slack.as(ADA).slash(DOCS, "/docs-agent")
    const url = responseUrlIn(payload)
    expect(await answer(url, { text: "x", blocks: [{ type: "marquee" }] })).toBe(400)
    expect(await answer(`${slack.url}/response/ABC`, { text: "x" })).toBe(404)
    time += 30 * 60_000
    expect(await answer(url, { text: "x" })).toBe(404)
    expect(slack.calls.at(-1)).toMatchObject({ method: "response_url", error: "expired_url" })
  })
})
