import { WebAPIRateLimitedError } from "@slack/web-api"
import { describe, expect, it } from "vitest"
import {
  botToken,
  clientOf,
  failure,
  quiet,
  refusal,
  useLocalSlack,
} from "../helpers/local-slack.ts"
import { BEN, DOCS, LEADS, OLD_DOCS, RANDOM } from "../sandbox/slack/index.ts"

const h = useLocalSlack({ rateLimits: "slack" })

function client() {
  return clientOf(h.slack, botToken, { rejectRateLimitedCalls: true })
}

function post(channel = DOCS, more: { thread_ts?: string } = {}) {
  return client().chat.postMessage({ channel, text: "hi", ...quiet, ...more })
}

describe("the token", () => {
  it("stops working when it is revoked or the app is uninstalled", async () => {
    h.slack.revokeToken()
    expect(await refusal(post())).toBe("token_revoked")
    h.slack.revokeToken("inactive")
    expect(await refusal(post())).toBe("account_inactive")
    h.slack.revokeToken("active")
    await post()
  })

  it("does what its scopes allow", async () => {
    h.slack.setScopes(["chat:write", "chat:write.public"])
    const call = client().users.info({ user: BEN })
    const provided = "chat:write,chat:write.public"
    await expect(call).rejects.toMatchObject({ data: { needed: "users:read", provided } })
    await post(RANDOM)
    expect(await refusal(client().conversations.history({ channel: DOCS }))).toBe("missing_scope")
  })
})

describe("Slack's limits", () => {
  it("let one post a second into a channel after a burst of five", async () => {
    for (let n = 0; n < 5; n += 1) await post()
    expect(await failure(post())).toMatchObject({ retryAfter: 1 })
    h.time += 1000
    await post()
    expect(await failure(post())).toBeInstanceOf(WebAPIRateLimitedError)
    expect(h.slack.calls.at(-1)).toMatchObject({ method: "chat.postMessage", error: "ratelimited" })
  })

  // "Tier 3: 50+ per minute"; Slack documents no larger burst after a quiet minute.
  it("let 50 edits into a workspace in any minute", async () => {
    const { ts } = await post()
    const edit = () => client().chat.update({ channel: DOCS, ts: String(ts), text: "hi" })
    for (let n = 0; n < 25; n += 1) await edit()
    h.time += 40_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 20 })
    h.time += 20_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 40 })
  })
})

describe("chat.postMessage", () => {
  it.each([
    ["a public channel without the bot", RANDOM, {}, "not_in_channel"],
    ["a private channel without the bot", LEADS, {}, "channel_not_found"],
    ["an archived channel", OLD_DOCS, {}, "is_archived"],
    ["no channel at all", "C0NOTHING", {}, "channel_not_found"],
    ["a thread that is not there", DOCS, { thread_ts: "1.000001" }, "thread_not_found"],
  ])("refuses %s", async (_name, channel, more, code) => {
    expect(await refusal(post(channel, more))).toBe(code)
  })
})

it("records a method it does not know as a violation", async () => {
  const call = client().apiCall("chat.meMessage", { channel: DOCS })
  expect(await refusal(call)).toBe("unknown_method")
  expect(h.slack.violations).toEqual(["unknown Web API method chat.meMessage"])
})
