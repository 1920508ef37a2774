import type { App } from "@slack/bolt"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  appToken,
  botToken,
  type RunningApp,
  signingSecret,
  startHttpApp,
  startSocketApp,
} from "../helpers/bolt-app.ts"
import { quiet } from "../helpers/slack-client.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { ADA, BEN, BOT_USER, DOCS, EVE, RANDOM, SHARED } from "../sandbox/slack/seed/ids.ts"

const button = { type: "button", text: { type: "plain_text", text: "Stop" }, action_id: "stop" }
const modal = {
  type: "modal" as const,
  callback_id: "ask",
  private_metadata: "kept",
  title: { type: "plain_text" as const, text: "Ask" },
  submit: { type: "plain_text" as const, text: "Send" },
  notify_on_close: true,
  blocks: [
    {
      type: "input",
      block_id: "prompt",
      label: { type: "plain_text", text: "Prompt" },
      element: { type: "plain_text_input", action_id: "text", multiline: true },
    },
  ],
}

/** What the listeners of a test saw. */
let seen: unknown[]
let slack: LocalSlack
let app: RunningApp

describe.each(["http", "socket"] as const)("over %s", (mode) => {
  beforeEach(async () => {
    seen = []
    slack = await startLocalSlack({ signingSecret, botToken, appToken, mode })
  })
  afterEach(async () => {
    await app.stop()
    await slack.close()
  })
  const start = async (listen: (app: App) => void) => {
    app = await (mode === "http" ? startHttpApp : startSocketApp)(slack, listen)
  }

  it("delivers a mention once, with the thread, and the bot answers there", async () => {
    await start((bolt) => {
      bolt.event("app_mention", async ({ event, say }) => {
        seen.push(event.text)
        await say({ text: "here", thread_ts: event.thread_ts ?? event.ts, ...quiet })
      })
    })
    const root = await slack.as(BEN).post(DOCS, "the quickstart is wrong")
    expect(root.deliveries).toEqual([])
    await slack.as(ADA).mention(DOCS, "fix a < b, @ben", { thread: root.ts })
    await slack.until((one) => one.thread(DOCS, root.ts).length === 3)
    expect(seen).toEqual([`<@${BOT_USER}> fix a &lt; b, <@${BEN}>`])
    expect(slack.violations).toEqual([])
  })

  it("answers a command and shows private text", async () => {
    await start((bolt) => {
      bolt.command("/docs-agent", ({ ack, command }) => ack(`got ${command.text}`))
    })
    const { shown, error } = await slack.as(ADA).slash(DOCS, "/docs-agent", "x")
    expect({ text: shown?.text, error }).toEqual({ text: "got x", error: undefined })
  })

  it("carries a click with its value, message and a response URL that replaces", async () => {
    await start((bolt) => {
      bolt.action("stop", async ({ ack, body, action, respond }) => {
        await ack()
        seen.push(action, "message" in body && body.message?.text)
        await respond({ text: "stopped", replace_original: true })
      })
    })
    const blocks = [{ type: "actions", elements: [{ ...button, value: "job-1" }] }]
    await app.app.client.chat.postMessage({ channel: DOCS, text: "running", blocks, ...quiet })
    const message = slack.channel(DOCS).messages()[0]
    if (message === undefined) throw new Error("no message")
    await slack.as(BEN).click(message, "Stop")
    await slack.until((one) => one.channel(DOCS).messages()[0]?.text === "stopped")
    expect(seen).toMatchObject([{ action_id: "stop", value: "job-1", type: "button" }, "running"])
    await expect(slack.as(BEN).click(message, "Stop")).rejects.toThrow(/0 elements match "Stop"/)
  })

  it("opens a modal from a command, refuses what is not filled in, and submits the rest", async () => {
    await start((bolt) => {
      bolt.command("/docs-agent", async ({ ack, client, command }) => {
        await ack()
        await client.views.open({ trigger_id: command.trigger_id, view: modal })
      })
      bolt.view("ask", async ({ ack, view }) => {
        const { value } = view.state.values.prompt?.text ?? {}
        seen.push(value, view.private_metadata)
        if (value === "bad") await ack({ response_action: "errors", errors: { prompt: "No." } })
        else await ack()
      })
    })
    const ada = slack.as(ADA)
    await ada.slash(DOCS, "/docs-agent")
    await slack.until((one) => one.modal(ADA))
    expect(await ada.submitModal()).toMatchObject({ accepted: false, refusedBy: "client" })
    const refused = await ada.submitModal({ text: "bad" })
    expect(refused).toEqual({ accepted: false, errors: { prompt: "No." }, refusedBy: "bot" })
    expect(await ada.submitModal({ prompt: "a <b>" })).toMatchObject({ accepted: true })
    expect(slack.modal(ADA)).toBeUndefined()
    expect(seen).toEqual(["bad", "kept", "a <b>", "kept"])
  })

  it("opens a modal from a message shortcut and reports that it was closed", async () => {
    await start((bolt) => {
      bolt.shortcut({ callback_id: "ask", type: "message_action" }, async (args) => {
        await args.ack()
        seen.push(args.shortcut.message.text)
        await args.client.views.open({ trigger_id: args.shortcut.trigger_id, view: modal })
      })
      bolt.view({ callback_id: "ask", type: "view_closed" }, async ({ ack, view }) => {
        seen.push(`closed ${view.callback_id}`)
        await ack()
      })
    })
    const message = await slack.as(BEN).post(RANDOM, "old page")
    await slack.as(ADA).shortcut(message, "ask")
    await slack.until((one) => one.modal(ADA))
    await slack.as(ADA).closeModal()
    expect(seen).toEqual(["old page", "closed ask"])
  })

  it("publishes a Home tab when a person opens it", async () => {
    await start((bolt) => {
      bolt.event("app_home_opened", async ({ event, client }) => {
        const blocks = [{ type: "divider" }]
        await client.views.publish({ user_id: event.user, view: { type: "home", blocks } })
      })
    })
    const first = await slack.as(ADA).openHome()
    const again = await slack.as(ADA).openHome()
    expect(first.payload).toMatchObject({ type: "home", blocks: [{ type: "divider" }] })
    expect(again.id).toBe(first.id)
    expect(again.hash).not.toBe(first.hash)
  })

  it("tells who is a stranger in a shared channel", async () => {
    await start((bolt) => {
      bolt.event("app_mention", ({ event, body }) => {
        seen.push(event.user_team, body.is_ext_shared_channel)
        return Promise.resolve()
      })
    })
    await slack.as(EVE).mention(SHARED, "hello")
    await slack.until(() => seen.length === 2)
    expect(seen).toEqual(["T0OTHER001", true])
  })

  it("lets the bot hear a direct message and its own answer to it", async () => {
    await start((bolt) => {
      bolt.message(async ({ message, say }) => {
        seen.push("text" in message && message.text)
        await say({ text: "hello", ...quiet })
      })
    })
    const { channel } = await slack.as(ADA).directMessage("hi & bye")
    await slack.until((one) => one.deliveries.length === 2)
    expect(slack.channel(channel).messages()).toHaveLength(2)
    // Bolt drops the bot's own message.
    expect(seen).toEqual(["hi &amp; bye"])
  })
})
