import { WebAPIHTTPError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, failure, quiet, refusal } from "../helpers/slack-client.ts"
import {
  BEN,
  DOCS,
  type Fault,
  type LocalSlack,
  RANDOM,
  startLocalSlack,
} from "../sandbox/slack/index.ts"

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

/** Returns a client. @param timeout in ms; short only in tests where no response comes */
function client(timeout = 5_000) {
  return clientOf(slack, botToken, { rejectRateLimitedCalls: true, timeout })
}

function post(channel = DOCS, timeout?: number) {
  return client(timeout).chat.postMessage({ channel, text: "hi", ...quiet })
}

function posted(): number {
  return slack.channel(DOCS).messages().length
}

describe("a fault", () => {
  it.each<[string, Fault, unknown, number]>([
    ["500", { kind: "status", status: 500 }, WebAPIHTTPError, 0],
    ["a reset before the effect", { kind: "reset", when: "before" }, WebAPIRequestError, 0],
    ["a reset after the effect", { kind: "reset", when: "after" }, WebAPIRequestError, 1],
    ["no answer before the effect", { kind: "timeout", when: "before" }, WebAPIRequestError, 0],
    ["no answer after the effect", { kind: "timeout", when: "after" }, WebAPIRequestError, 1],
    ["a limit", { kind: "rate_limited", retryAfter: 7 }, WebAPIRateLimitedError, 0],
    ["a limit without a time", { kind: "rate_limited" }, Error, 0],
  ])("may be %s", async (_name, fault, kind, effects) => {
    const handle = slack.fail({ ...fault, method: "chat.postMessage", times: 1 })
    const attempt = post(DOCS, fault.kind === "timeout" ? 300 : undefined)
    expect(await failure(attempt)).toBeInstanceOf(kind)
    expect(posted()).toBe(effects)
    expect(handle.hits).toBe(1)
    await post()
    expect(posted()).toBe(effects + 1)
  })

  it("may hold every answer until it is let go, and then they are the right ones", async () => {
    const held = slack.hold()
    const pending = [post(), client().auth.test()]
    expect(slack.calls).toEqual([])
    held.release()
    await Promise.all(pending)
    expect(posted()).toBe(1)
    await post()
  })

  it("may be an error code, HTML or JSON that breaks off", async () => {
    slack.fail({ kind: "error", error: "internal_error", times: 1 })
    expect(await refusal(post())).toBe("internal_error")
    slack.fail({ kind: "html", times: 1 })
    expect(await refusal(post())).toContain("<!DOCTYPE html>")
    slack.fail({ kind: "malformed", times: 1 })
    expect(await refusal(post())).toBe('{"ok":tr')
    expect(posted()).toBe(0)
  })
})

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

describe("the bot's membership", () => {
  it("follows invitations and removals", async () => {
    slack.setBotMembership(RANDOM, true)
    await post(RANDOM)
    slack.setBotMembership(DOCS, false)
    expect(await refusal(post())).toBe("not_in_channel")
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
