import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import {
  BOT_USER,
  DOCS,
  LEADS,
  type LocalSlack,
  OLD_DOCS,
  RANDOM,
  startLocalSlack,
  TEAM,
} from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "secret", botToken, mode: "http" })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

describe("tokens", () => {
  it("tells the bot who it is and which scopes it has", async () => {
    const answer = await client.auth.test()
    expect(answer).toMatchObject({ ok: true, team_id: TEAM, user_id: BOT_USER })
    expect(answer.response_metadata?.scopes).toContain("chat:write")
  })

  it("refuses a foreign token and a missing one", async () => {
    expect(await refusal(clientOf(slack, "xoxb-other").auth.test())).toBe("invalid_auth")
    expect(await refusal(clientOf(slack, "").auth.test())).toBe("not_authed")
  })
})

describe("chat.postMessage", () => {
  it.each([
    ["a public channel without the bot", RANDOM, "not_in_channel"],
    ["a private channel without the bot", LEADS, "channel_not_found"],
    ["an archived channel", OLD_DOCS, "is_archived"],
    ["no channel at all", "C0NOTHING", "channel_not_found"],
  ])("refuses %s", async (_name, channel, code) => {
    expect(await refusal(client.chat.postMessage({ channel, text: "hi", ...quiet }))).toBe(code)
  })

  it("puts a reply into its thread and refuses a thread that is not there", async () => {
    const root = await client.chat.postMessage({ channel: DOCS, text: "root", ...quiet })
    const thread_ts = String(root.ts)
    await client.chat.postMessage({ channel: DOCS, text: "reply", thread_ts, ...quiet })
    const replies = await client.conversations.replies({ channel: DOCS, ts: thread_ts })
    expect(replies.messages?.map((message) => message.text)).toEqual(["root", "reply"])
    const stray = { channel: DOCS, text: "reply", thread_ts: "1.000001", ...quiet }
    expect(await refusal(client.chat.postMessage(stray))).toBe("thread_not_found")
  })
})

it("records a method it does not know as a violation", async () => {
  expect(await refusal(client.apiCall("chat.meMessage", { channel: DOCS }))).toBe("unknown_method")
  expect(slack.violations).toEqual(["unknown Web API method chat.meMessage"])
})
