import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { type JsonObject, stringIn } from "../sandbox/kit/json.ts"
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
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

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
