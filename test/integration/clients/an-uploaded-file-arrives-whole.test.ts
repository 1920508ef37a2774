import { Readable } from "node:stream"
import { afterEach, beforeEach, expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { SlackClient } from "../../../src/slack/client.ts"
import { createOutbound } from "../../../src/slack/web-outbound.ts"
import { type LocalSlack, startLocalSlack } from "../../sandbox/slack/local-slack.ts"
import { DOCS } from "../../sandbox/slack/seed/ids.ts"

const botToken = "xoxb-local"
let slack: LocalSlack

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
})
afterEach(() => slack.close())

const upload = (chunks: readonly string[], bytes: number) =>
  createOutbound(new SlackClient(secret(botToken), slack.apiUrl, createLog("silent", []))).upload(
    { channel: DOCS },
    { name: "a.csv", bytes, content: Readable.from(chunks.map((text) => Buffer.from(text))) },
  )

test("a file arrives as it is", async () => {
  await upload(["path,", "total\n"], 11)
  expect(slack.files().map(({ content }) => content.toString())).toEqual(["path,total\n"])
})

test.each([
  ["shorter", ["path,"]],
  ["empty", []],
  ["longer", ["path,", "total\n", "/,1\n"]],
])(
  "a file that is %s than announced fails at once, and is not shared",
  async (_, chunks) => {
    await expect(upload(chunks, 11)).rejects.toMatchObject({
      name: "SlackError",
      verdict: "unknown",
    })
    expect(slack.files()).toEqual([])
  },
  10_000,
)
