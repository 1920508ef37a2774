import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { isObject } from "../sandbox/kit/json.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { DEFAULT_SCOPES } from "../sandbox/slack/options.ts"
import { ADA, BEN, CLEO, LEADS, OLD_DOCS, RANDOM } from "../sandbox/slack/seed/ids.ts"

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
})
