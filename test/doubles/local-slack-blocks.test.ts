import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, refusal } from "../helpers/slack-client.ts"
import { stringIn } from "../sandbox/kit/json.ts"
import {
  ADA,
  ADA_DM,
  DOCS,
  EDITORS,
  type LocalSlack,
  startLocalSlack,
} from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

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
