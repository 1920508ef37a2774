import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf } from "../helpers/slack-client.ts"
import type { JsonObject } from "../sandbox/kit/json.ts"
import {
  ADA,
  BEN,
  DOCS,
  GUS,
  LEADS,
  type LocalSlack,
  OLD_DOCS,
  startLocalSlack,
} from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
const text = (content: string) => ({ type: "plain_text", text: content })
const option = (value: string) => ({ text: text(value.toUpperCase()), value })
const options = [option("7d"), option("30d")]
const controls = [
  { type: "button", action_id: "page", text: text("Next"), value: "2" },
  { type: "button", action_id: "page_last", text: text("Next"), value: "9" },
  { type: "static_select", action_id: "range", options, initial_option: option("7d") },
]
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  const options = { signingSecret: "s", botToken, mode: "http" as const }
  // No bot listens; tests read `deliveries`.
  slack = await startLocalSlack(options)
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

function lastPayload(): JsonObject {
  return slack.deliveries.at(-1)?.delivery.payload ?? {}
}

describe("a person", () => {
  it("cannot write where Slack would not let them", async () => {
    await expect(slack.as(BEN).post(LEADS, "hi")).rejects.toThrow("Ben is not in #leads")
    await expect(slack.as(ADA).slash(OLD_DOCS, "/docs-agent")).rejects.toThrow("is archived")
    expect(() => slack.as("U0NOBODY")).toThrow("no user U0NOBODY")
  })

  it.each([
    ["@Docs Agent fix it", "<@U0DOCSAGENT> fix it"],
    ["@docs agent, please", "<@U0DOCSAGENT>, please"],
    ["@docs-agent fix it", "<@U0DOCSAGENT> fix it"],
    ["(@Ben) and @ada", "(<@U0BEN00001>) and <@U0ADA00001>"],
    ["@Docs Agents and @Benny", "@Docs Agents and @Benny"],
    ["mail a@Docs Agent", "mail a@Docs Agent"],
    ["@Docs", "@Docs"],
  ])("who types %j says %j", async (typed, stored) => {
    expect((await slack.as(ADA).post(DOCS, typed)).text).toBe(stored)
  })

  it("clicks in a private message, of which Slack keeps no copy", async () => {
    const blocks = [{ type: "actions", elements: controls.slice(0, 1) }]
    const message = { channel: DOCS, user: GUS, text: "only you", blocks }
    const { message_ts } = await client.chat.postEphemeral(message)
    const ref = { channel: DOCS, ts: String(message_ts) }
    await slack.as(GUS).click(ref, "Next")
    expect(lastPayload()).toMatchObject({ container: { is_ephemeral: true } })
    expect(lastPayload()).not.toHaveProperty("message")
    await expect(slack.as(ADA).click(ref, "Next")).rejects.toThrow("Ada can't see message")
  })
})
