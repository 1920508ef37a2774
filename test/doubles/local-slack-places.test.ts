import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { isObject } from "../sandbox/kit/json.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { DEFAULT_SCOPES } from "../sandbox/slack/options.ts"
import { ADA, BEN, CLEO, DOCS, LEADS, OLD_DOCS, RANDOM } from "../sandbox/slack/seed/ids.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

const post = (channel: string) => client.chat.postMessage({ channel, text: "hi", ...quiet })

/** The type and the kind of channel of each event, in order. */
function events() {
  return slack.deliveries.map(({ delivery: { payload } }) => {
    const { event } = payload
    return isObject(event) ? [event.type, event.channel_type] : []
  })
}

describe("a group direct message", () => {
  const members = [ADA, BEN, CLEO]

  it.each([
    [
      "both",
      [
        ["app_mention", undefined],
        ["message", "mpim"],
      ],
    ],
    ["app_mention", [["app_mention", undefined]]],
    ["message", [["message", "mpim"]]],
  ] as const)("tells of a mention by %s, as each is reported of Slack", async (kind, expected) => {
    slack.setScopes([...DEFAULT_SCOPES, "mpim:history"])
    slack.setGroupMentions(kind)
    await slack.as(ADA).mention(slack.openConversation(members, { bot: true }), "hi")
    expect(events()).toEqual(expected)
  })

  it('needs mpim:history for message.mpim, "a message was posted in a multiparty direct message channel"', async () => {
    const channel = slack.openConversation(members, { bot: true })
    await slack.as(ADA).post(channel, "hi")
    expect(events()).toEqual([])
    slack.setScopes([...DEFAULT_SCOPES, "mpim:history"])
    await slack.as(ADA).post(channel, "hi")
    expect(events()).toEqual([["message", "mpim"]])
    expect((await client.conversations.history({ channel })).messages).toHaveLength(2)
  })

  it("is a place to post in for its members only", async () => {
    await post(slack.openConversation(members, { bot: true }))
    const without = slack.openConversation(members, { bot: false })
    expect(await refusal(post(without))).toBe("channel_not_found")
  })
})

it("does not exist for the bot: a conversation of two people", async () => {
  const channel = slack.openConversation([ADA, BEN], { bot: false })
  await slack.as(ADA).slash(channel, "/docs-agent", "x")
  expect(slack.deliveries[0]?.delivery.payload).toMatchObject({ channel_name: "directmessage" })
  expect(await refusal(post(channel))).toBe("channel_not_found")
  expect(await refusal(client.conversations.history({ channel }))).toBe("channel_not_found")
})

describe("chat:write.public", () => {
  beforeEach(() => slack.setScopes([...DEFAULT_SCOPES, "chat:write.public"]))

  it('lets the bot "send messages to channels it isn\'t a member of", public ones', async () => {
    await post(RANDOM)
    expect(await refusal(post(LEADS))).toBe("channel_not_found")
    expect(await refusal(post(OLD_DOCS))).toBe("is_archived")
    slack.setScopes(DEFAULT_SCOPES)
    expect(await refusal(post(RANDOM))).toBe("not_in_channel")
  })

  it("is for messages: it neither reads nor whispers where the bot is no member", async () => {
    const { ts } = await post(RANDOM)
    await client.chat.update({ channel: RANDOM, ts: String(ts), text: "edited" })
    const whisper = client.chat.postEphemeral({ channel: RANDOM, user: ADA, text: "hi" })
    expect(await refusal(whisper)).toBe("not_in_channel")
    expect(await refusal(client.conversations.history({ channel: RANDOM }))).toBe("not_in_channel")
    await slack.as(ADA).mention(RANDOM, "hi")
    expect(events()).toEqual([])
    await slack.as(ADA).mention(DOCS, "hi")
    expect(events()).toHaveLength(1)
  })
})
