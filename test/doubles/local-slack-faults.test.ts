import { WebAPIRateLimitedError } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, failure, quiet, refusal } from "../helpers/slack-client.ts"
import { BEN, DOCS, type LocalSlack, RANDOM, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let time: number

beforeEach(async () => {
  time = Date.UTC(2026, 10, 21)
  const now = () => time
  const options = { signingSecret: "s", botToken, mode: "http" as const, now }
  slack = await startLocalSlack({ ...options, rateLimits: "slack" })
})
afterEach(() => slack.close())

function client() {
  return clientOf(slack, botToken, { rejectRateLimitedCalls: true })
}

function post(channel = DOCS) {
  return client().chat.postMessage({ channel, text: "hi", ...quiet })
}

describe("the token", () => {
  it("stops working when it is revoked or the app is uninstalled", async () => {
    slack.revokeToken()
    expect(await refusal(post())).toBe("token_revoked")
    slack.revokeToken("inactive")
    expect(await refusal(post())).toBe("account_inactive")
    slack.revokeToken("active")
    await post()
  })

  it("does what its scopes allow", async () => {
    slack.setScopes(["chat:write", "chat:write.public"])
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
    time += 1000
    await post()
    expect(await failure(post())).toBeInstanceOf(WebAPIRateLimitedError)
    expect(slack.calls.at(-1)).toMatchObject({ method: "chat.postMessage", error: "ratelimited" })
  })

  // "Tier 3: 50+ per minute"; Slack documents no larger burst after a quiet minute.
  it("let 50 edits into a workspace in any minute", async () => {
    const { ts } = await post()
    const edit = () => client().chat.update({ channel: DOCS, ts: String(ts), text: "hi" })
    for (let n = 0; n < 25; n += 1) await edit()
    time += 40_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 20 })
    time += 20_000
    for (let n = 0; n < 25; n += 1) await edit()
    expect(await failure(edit())).toMatchObject({ retryAfter: 40 })
  })
})
