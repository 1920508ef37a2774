import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf } from "../helpers/slack-client.ts"
import { ADA, DOCS, type LocalSlack, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
const options = { signingSecret: "s", botToken, mode: "http" as const }
let slack: LocalSlack

beforeEach(async () => {
  slack = await startLocalSlack(options)
})
afterEach(() => slack.close())

describe("what other apps post", () => {
  it('may have its words in blocks or attachments: "text" is then a fallback that may be empty', async () => {
    const root = await slack.as(ADA).post(DOCS, "deploys")
    const blocks = [{ type: "section", text: { type: "mrkdwn", text: "*v2* is out" } }]
    slack.postAsApp(DOCS, { blocks, thread: root.ts, username: "Deploys of v2" })
    slack.postAsApp(DOCS, { attachments: [{ title: "Failed", text: "step 3" }], thread: root.ts })
    const { messages } = await clientOf(slack, botToken).conversations.replies({
      channel: DOCS,
      ts: root.ts,
    })
    const classic = { subtype: "bot_message", bot_profile: { name: "Deploys" }, text: "" }
    expect(messages?.slice(1)).toMatchObject([
      { ...classic, username: "Deploys of v2", blocks },
      { ...classic, attachments: [{ title: "Failed", text: "step 3" }] },
    ])
    expect(messages?.[1]).not.toHaveProperty("user")
    expect(messages?.[2]).not.toHaveProperty("username")
  })
})

describe("the text of a command", () => {
  const typed = "ask @ben about #random at https://example.com/a & <b>"
  it("comes as typed, with three entities, while escaping is off", async () => {
    const { payload } = await slack.as(ADA).slash(DOCS, "/docs-agent", typed)
    expect(payload.text).toBe("ask @ben about #random at https://example.com/a &amp; &lt;b&gt;")
  })
})
