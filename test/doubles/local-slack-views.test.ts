import { buffer } from "node:stream/consumers"
import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, refusal } from "../helpers/slack-client.ts"
import { type HttpServer, listen } from "../sandbox/kit/http-server.ts"
import { isObject, type JsonObject, stringIn } from "../sandbox/kit/json.ts"
import { ADA, DOCS, type LocalSlack, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let client: WebClient
let bot: HttpServer
let time: number
/** Response of the bot to the next request; undefined: an empty body. */
let answer: JsonObject | undefined

beforeEach(async () => {
  time = Date.UTC(2026, 10, 21)
  answer = undefined
  bot = await listen(0, (request, response) => {
    void buffer(request).then(() => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(answer === undefined ? "" : JSON.stringify(answer))
    })
  })
  const options = { signingSecret: "s", botToken, mode: "http" as const, eventsUrl: bot.url }
  slack = await startLocalSlack({ ...options, now: () => time })
  client = clientOf(slack, botToken)
})
afterEach(async () => {
  await slack.close()
  await bot.close()
})

function modal(title: string, more: JsonObject = {}) {
  const text = (content: string) => ({ type: "plain_text" as const, text: content })
  const element = { type: "plain_text_input", action_id: "text" }
  return {
    type: "modal" as const,
    title: text(title),
    submit: text("Send"),
    blocks: [{ type: "input", block_id: "prompt", label: text("Prompt"), element }],
    ...more,
  }
}

async function trigger(): Promise<string> {
  const { payload } = await slack.as(ADA).slash(DOCS, "/docs-agent")
  return stringIn(payload, "trigger_id") ?? "no trigger"
}

function title(): unknown {
  const shown = slack.modal(ADA)?.payload.title
  return isObject(shown) ? shown.text : undefined
}

describe("a trigger", () => {
  it("opens one view within three seconds", async () => {
    const first = await trigger()
    await client.views.open({ trigger_id: first, view: modal("One") })
    const again = client.views.open({ trigger_id: first, view: modal("Two") })
    expect(await refusal(again)).toBe("exchanged_trigger_id")
    const late = await trigger()
    time += 3000
    const open = client.views.open({ trigger_id: late, view: modal("Two") })
    expect(await refusal(open)).toBe("expired_trigger_id")
    const invented = client.views.open({ trigger_id: "1.2.3", view: modal("Two") })
    expect(await refusal(invented)).toBe("invalid_trigger_id")
    expect(title()).toBe("One")
  })
})

describe("open modals", () => {
  it("are checked for length by Slack itself", async () => {
    const blocks = modal("One").blocks.map((block) => ({
      ...block,
      element: { ...block.element, max_length: 3 },
    }))
    await client.views.open({ trigger_id: await trigger(), view: modal("One", { blocks }) })
    const submission = await slack.as(ADA).submitModal({ text: "four" })
    expect(submission).toMatchObject({ refusedBy: "client", accepted: false })
  })
})
