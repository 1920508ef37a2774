import { describe, expect, test } from "vitest"
import { useTestBed } from "../helpers/test-bed.ts"
import type { RawRequestOptions } from "../sandbox/slack/delivery/raw-request.ts"

const openTestBed = useTestBed()

const home = JSON.stringify({
  type: "event_callback",
  event: { type: "app_home_opened", user: "U0ADA00001", tab: "messages" },
})

describe("what is posted to the bot", () => {
  test.each<[string, number, string, RawRequestOptions]>([
    ["signed by Slack is taken", 200, home, {}],
    ["without a signature is not", 401, home, { sign: false }],
    ["signed with another secret is not", 401, home, { sign: "wrong" }],
    ["with another body's signature is not", 401, home, { headers: signatureOfAnother() }],
    ["with half a signature is not", 401, home, { headers: { "x-slack-signature": "v0=ab12" } }],
    ["of another scheme is not", 401, home, { headers: { "x-slack-signature": "v1=ab12" } }],
    ["more than five minutes old is not", 401, home, { timestampOffsetMs: -301_000 }],
    ["more than five minutes ahead is not", 401, home, { timestampOffsetMs: 302_000 }],
    ["four minutes old is taken", 200, home, { timestampOffsetMs: -240_000 }],
    ["Slack's word that it leaves out events is taken", 200, `{"type":"app_rate_limited"}`, {}],
    ["at no time is not", 401, home, { headers: { "x-slack-request-timestamp": "now" } }],
    ["that is no JSON is refused", 400, "{", {}],
    ["that nobody sends is refused", 400, `{"type":"event_callback"}`, {}],
    ["larger than Slack's payloads is refused", 413, `"${"x".repeat(1_100_000)}"`, {}],
  ])("%s", async (_, status, body, options) => {
    const { slack } = await openTestBed()
    expect(await slack.deliver(body, options)).toMatchObject({ status })
  })
})

function signatureOfAnother(): Record<string, string> {
  return { "x-slack-signature": `v0=${"0".repeat(64)}` }
}
