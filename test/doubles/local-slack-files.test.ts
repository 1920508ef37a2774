import { afterEach, beforeEach, expect, it } from "vitest"
import { clientOf, quiet, refusal } from "../helpers/slack-client.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, DOCS, RANDOM } from "../sandbox/slack/seed/ids.ts"

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

it("takes the bare bytes too, but not another number of them than announced", async () => {
  const client = clientOf(slack, botToken)
  const { upload_url, file_id } = await client.files.getUploadURLExternal({
    filename: "a.csv",
    length: 3,
  })
  const send = (body: string) => fetch(String(upload_url), { method: "POST", body })
  const complete = (channel_id: string) =>
    client.files.completeUploadExternal({ files: [{ id: String(file_id) }], channel_id })
  expect((await send("abcd")).status).toBe(400)
  expect(await refusal(complete(DOCS))).toBe("file_not_found")
  expect((await send("abc")).status).toBe(200)
  expect(await refusal(complete(RANDOM))).toBe("not_in_channel")
  await complete(DOCS)
  expect(await refusal(complete(DOCS))).toBe("file_not_found")
})

it("carries a person's file in the event of their message", async () => {
  const files = [{ name: "notes.txt", content: "hi" }]
  await slack.as(ADA).mention(DOCS, "read this", { files })
  expect(slack.deliveries[0]?.delivery.payload).toMatchObject({
    event: { type: "app_mention", files: [{ name: "notes.txt", size: 2, filetype: "txt" }] },
  })
})
