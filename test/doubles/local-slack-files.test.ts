import { afterEach, beforeEach, expect, it } from "vitest"
import { clientOf, quiet } from "../helpers/slack-client.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { DOCS } from "../sandbox/slack/seed/ids.ts"

const botToken = "xoxb-local"
let slack: LocalSlack

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
})
afterEach(() => slack.close())

it("takes what the client's own upload sends and shares it in a thread with a comment", async () => {
  const client = clientOf(slack, botToken)
  const { ts } = await client.chat.postMessage({ channel: DOCS, text: "numbers", ...quiet })
  await client.filesUploadV2({
    channel_id: DOCS,
    thread_ts: String(ts),
    filename: "visitors.csv",
    content: "path,total\n/é,1\n",
    initial_comment: "all pages",
  })
  expect(slack.files()).toMatchObject([{ name: "visitors.csv", channels: [DOCS] }])
  expect(slack.files()[0]?.content.toString()).toBe("path,total\n/é,1\n")
  expect(slack.thread(DOCS, String(ts))[1]).toMatchObject({
    text: "all pages",
    subtype: "file_share",
    files: [{ name: "visitors.csv" }],
  })
})
