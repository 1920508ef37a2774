import { afterEach, beforeEach, expect, it } from "vitest"
import { botToken, type RunningApp, signingSecret, startHttpApp } from "../helpers/bolt-app.ts"
import { ADA, BEN, DOCS, type LocalSlack, RANDOM, startLocalSlack } from "../sandbox/slack/index.ts"

let slack: LocalSlack
let app: RunningApp | undefined

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret, botToken, mode: "http", ackTimeoutMs: 1000 })
})
afterEach(async () => {
  await app?.stop()
  await slack.close()
})

it("delivers a signed command and shows the acknowledgement to the person only", async () => {
  app = await startHttpApp(slack, (bolt) => {
    bolt.command("/docs-agent", ({ ack, command }) => ack(`asked: ${command.text}`))
  })
  const result = await slack.as(ADA).slash(DOCS, "/docs-agent", "fix <b> & co")
  expect(result).toMatchObject({ status: 200, error: undefined })
  expect(result.shown?.text).toBe("asked: fix &lt;b&gt; &amp; co")
  expect(slack.ephemerals(ADA)).toHaveLength(1)
  expect(slack.ephemerals(BEN)).toHaveLength(0)
})

it("lets a command answer through its response URL, five times, where the bot is no member", async () => {
  app = await startHttpApp(slack, (bolt) => {
    bolt.command("/docs-agent", async ({ ack, respond }) => {
      await ack()
      for (let n = 1; n <= 5; n += 1) await respond({ response_type: "in_channel", text: `${n}` })
      await respond("6").catch(() => undefined)
    })
  })
  await slack.as(ADA).slash(RANDOM, "/docs-agent", "x")
  const calls = await slack.until((one) => {
    const made = one.calls.filter((call) => call.method === "response_url")
    return made.length === 6 && made
  })
  expect(slack.channel(RANDOM).messages()).toHaveLength(5)
  expect(calls.at(-1)).toMatchObject({ error: "used_url" })
})

it("shows Slack's own error when the bot answers too late or not at all", async () => {
  app = await startHttpApp(slack, (bolt) => {
    bolt.command("/docs-agent", () => Promise.resolve())
  })
  const late = await slack.as(ADA).slash(DOCS, "/docs-agent", "x")
  expect(late.error).toBe("operation_timeout")
  expect(late.shown?.text).toContain("operation_timeout")
  await app.stop()
  app = undefined
  const down = await slack.as(ADA).slash(DOCS, "/docs-agent", "x")
  expect(down.error).toBe("dispatch_failed")
})
