import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { describe, expect, test } from "vitest"
import { useTestBed } from "../../helpers/test-bed.ts"
import type { RawRequestOptions } from "../../sandbox/slack/delivery/raw-request.ts"

const openTestBed = useTestBed()

const home = JSON.stringify({
  type: "event_callback",
  event: { type: "app_home_opened", user: "U0ADA00001", tab: "messages" },
})

function mentionAt(ts: string): string {
  const event = {
    type: "app_mention",
    user: "U0ADA00001",
    channel: "C0DOCS0001",
    ts,
    text: "hi there",
  }
  return JSON.stringify({ type: "event_callback", event })
}

describe("what is posted to the bot", () => {
  test.each<[string, number, string, RawRequestOptions]>([
    ["signed by Slack is taken", 200, home, {}],
    ["with half a signature is not", 401, home, { headers: { "x-slack-signature": "v0=ab12" } }],
    ["of another scheme is not", 401, home, { headers: { "x-slack-signature": "v1=ab12" } }],
    ["four minutes old is taken", 200, home, { timestampOffsetMs: -240_000 }],
    ["that is no JSON is refused", 400, "{", {}],
    ["about a message that no id can name is refused", 400, mentionAt("\ud800"), {}],
  ])("%s", async (_, status, body, options) => {
    const { slack } = await openTestBed()
    expect(await slack.deliver(body, options)).toMatchObject({ status })
  })
})

describe("what shows in the head of a request is answered before its body comes", () => {
  const now = () => String(Math.floor(Date.now() / 1000))
  const old = () => String(Math.floor(Date.now() / 1000) - 301)
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const small = { "content-length": "100" }
  const stamp = (moment: string) => ({
    ...signatureOfAnother(),
    "x-slack-request-timestamp": moment,
  })

  test.each<[string, number, () => Record<string, string>]>([
    ["without a signature", 401, () => small],
    [
      "a form that is longer than a certificate check",
      401,
      () => ({ ...form, "content-length": "2000" }),
    ],
    ["a form of no announced length", 401, () => ({ ...form, "transfer-encoding": "chunked" })],
    ["with an old moment", 401, () => ({ ...small, ...stamp(old()) })],
    ["without a moment", 401, () => ({ ...small, ...signatureOfAnother() })],
    ["longer than Slack's payloads", 413, () => ({ "content-length": "1100000", ...stamp(now()) })],
  ])("%s", async (_, status, headers) => {
    const { bot } = await openTestBed()
    const options = { port: bot.port, method: "POST", path: "/slack/events", headers: headers() }
    const half = request(options).on("error", () => {})
    half.flushHeaders()
    const [answer] = (await once(half, "response")) as [IncomingMessage]
    expect(answer.statusCode).toBe(status)
    expect(answer.headers.connection).toBe("close")
    half.destroy()
  })
})

function signatureOfAnother(): Record<string, string> {
  return { "x-slack-signature": `v0=${"0".repeat(64)}` }
}
