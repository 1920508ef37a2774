import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { type JsonObject, stringIn } from "../sandbox/slack/json.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, ADA_DM, DOCS, EDITORS } from "../sandbox/slack/seed/ids.ts"

const botToken = "xoxb-local"
const chart = {
  type: "data_visualization",
  title: "Visitors",
  chart: {
    type: "bar",
    series: [{ name: "People", data: [{ label: "Mon", value: 1 }] }],
    axis_config: { categories: ["Mon"] },
  },
}
const section = { type: "section", text: { type: "plain_text", text: "Hi" } }
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

async function validate(args: JsonObject, headers: Record<string, string> = {}) {
  const response = await fetch(`${slack.apiUrl}blocks.validate`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(args),
  })
  return await response.json()
}

describe("blocks.validate", () => {
  it('takes a payload without a token: "no scopes required"', async () => {
    expect(await validate({ blocks: [section] })).toEqual({ ok: true })
    expect(await validate({ message: { blocks: [section] } })).toEqual({ ok: true })
    expect((await client.apiCall("blocks.validate", { blocks: [section] })).ok).toBe(true)
  })

  it('names "a JSON pointer path to the invalid element", a code and a message', async () => {
    const wrong = { ...section, text: { type: "plain_text" } }
    expect(await validate({ blocks: [wrong] })).toMatchObject({
      ok: false,
      error: "invalid_blocks",
      errors: [{ pointer: "/0/text/text", code: "failed_constraint", message: expect.any(String) }],
    })
    expect(await validate({ message: { blocks: [{ type: "marquee" }] } })).toMatchObject({
      error: "invalid_message",
      errors: [{ pointer: "/blocks/0/type", code: "unsupported_type" }],
    })
    const view = { type: "modal", title: { type: "plain_text", text: "x" }, blocks: [wrong] }
    expect(await validate({ view })).toMatchObject({
      error: "invalid_view",
      errors: [{ pointer: "/blocks/0/text/text" }],
    })
  })

  it('wants "exactly one of blocks, view, or message"', async () => {
    expect(await validate({})).toMatchObject({ error: "invalid_arguments" })
    const both = { blocks: [section], message: { blocks: [section] } }
    expect(await validate(both)).toMatchObject({ error: "invalid_arguments" })
  })

  it("may be unknown to a Slack", async () => {
    await slack.close()
    const unknownMethods = ["blocks.validate"]
    slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http", unknownMethods })
    expect(await validate({ blocks: [section] })).toMatchObject({ error: "unknown_method" })
    expect(slack.violations).toEqual([])
  })
})

describe("charts and tables", () => {
  const message = (channel: string) => ({ channel, text: "x", blocks: [chart], ...quiet })
  const inChannel = () => client.chat.postMessage(message(DOCS))
  const direct = () => client.chat.postMessage(message(ADA_DM))
  const ephemeral = () => client.chat.postEphemeral({ ...message(DOCS), user: ADA })
  const respond = async (more: JsonObject = {}) => {
    const { payload } = await slack.as(ADA).slash(DOCS, "/docs-visitors")
    const response = await fetch(stringIn(payload, "response_url") ?? "", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "x", blocks: [chart], ...more }),
    })
    return { status: response.status, text: await response.text() }
  }

  it("may be refused in private messages and taken in the channel", async () => {
    slack.setRefused({ charts: ["ephemeral"] })
    expect(await refusal(ephemeral())).toBe("invalid_blocks")
    expect((await respond()).status).toBe(400)
    expect((await respond({ response_type: "in_channel" })).status).toBe(200)
    await inChannel()
    await direct()
  })

  it("may be refused in direct messages, or by response URLs alone", async () => {
    slack.setRefused({ charts: ["direct"] })
    expect(await refusal(direct())).toBe("invalid_blocks")
    await inChannel()
    slack.setRefused({ charts: ["response_url"] })
    await ephemeral()
    expect((await respond({ response_type: "in_channel" })).status).toBe(400)
  })

  it("may be refused in several words", async () => {
    slack.setRefused({ charts: true, words: "invalid_arguments" })
    expect(await refusal(inChannel())).toBe("invalid_arguments")
    expect((await respond()).text).toContain("invalid_arguments")
    slack.setRefused({ charts: true, words: "bare_word" })
    expect(await respond()).toEqual({ status: 400, text: "invalid_payload" })
    slack.setRefused({ charts: true, words: "odd_body" })
    expect(await respond()).toMatchObject({
      status: 200,
      text: expect.stringContaining("<!DOCTYPE"),
    })
  })
})

describe("a conversations select", () => {
  const view = (initial_conversation: string, include: string[]) => ({
    type: "modal" as const,
    title: { type: "plain_text" as const, text: "Ask" },
    submit: { type: "plain_text" as const, text: "Send" },
    blocks: [
      {
        type: "input",
        label: { type: "plain_text", text: "Where" },
        element: {
          type: "conversations_select",
          action_id: "where",
          initial_conversation,
          filter: { include },
        },
      },
    ],
  })
  const open = async (channel: string, include: string[]) => {
    const { payload } = await slack.as(ADA).slash(DOCS, "/docs-agent")
    const trigger_id = stringIn(payload, "trigger_id") ?? ""
    return client.views.open({ trigger_id, view: view(channel, include) })
  }

  it("pre-selects what its own filter lets through and nothing else", async () => {
    await open(DOCS, ["public", "private"])
    await open(ADA_DM, ["im"])
    expect(await refusal(open(ADA_DM, ["public", "private"]))).toBe("invalid_arguments")
    expect(await refusal(open(EDITORS, ["public"]))).toBe("invalid_arguments")
    const group = slack.openConversation([ADA, "U0BEN00001"], { bot: true })
    expect(await refusal(open(group, ["public", "private"]))).toBe("invalid_arguments")
  })
})
