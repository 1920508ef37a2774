import { buffer } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { botToken, signingSecret } from "../helpers/bolt-app.ts"
import { type HttpServer, listen } from "../sandbox/kit/http-server.ts"
import {
  ADA,
  DOCS,
  type LocalSlack,
  type LocalSlackOptions,
  RANDOM,
  startLocalSlack,
} from "../sandbox/slack/index.ts"

let slack: LocalSlack

async function open(options: Partial<LocalSlackOptions> = {}): Promise<void> {
  slack = await startLocalSlack({ signingSecret, botToken, mode: "http", ...options })
}
afterEach(() => slack.close())

describe("retries", () => {
  /** Requests that reached the bot: retry headers and event id. */
  let received: [number: string, reason: string, event: string][]
  let answers: { status: number }[]
  let bot: HttpServer

  beforeEach(async () => {
    received = []
    answers = []
    bot = await listen(0, (request, response) => {
      void buffer(request).then((body) => {
        const { event_id } = JSON.parse(body.toString())
        const header = (name: string) => String(request.headers[name] ?? "")
        received.push([header("x-slack-retry-num"), header("x-slack-retry-reason"), event_id])
        response.writeHead(answers.shift()?.status ?? 200).end()
      })
    })
    await open({ eventsUrl: bot.url, eventRetryDelaysMs: [0, 1, 2] })
  })
  afterEach(() => bot.close())

  it("repeat the same event until it is acknowledged", async () => {
    answers = [{ status: 500 }, { status: 404 }, { status: 200 }]
    const { deliveries } = await slack.as(ADA).mention(DOCS, "hi")
    expect(deliveries).toMatchObject([{ ok: false, status: 500, failure: "http_error" }])
    await slack.until((one) => one.deliveries.length === 3)
    const id = received[0]?.[2]
    expect(received).toEqual([
      ["", "", id],
      ["1", "http_error", id],
      ["2", "http_error", id],
    ])
  })

  it("end after three", async () => {
    answers = Array.from({ length: 4 }, () => ({ status: 500 }))
    await slack.as(ADA).mention(DOCS, "hi")
    await slack.until((one) => one.deliveries.length === 4)
    await slack.sendEvent({ type: "app_uninstalled" })
    expect(received.map(([number]) => number)).toEqual(["", "1", "2", "3", ""])
  })
})

describe("events", () => {
  it("of a channel reach the bot only as a member, with the scope and the subscription", async () => {
    await open()
    expect((await slack.as(ADA).mention(RANDOM, "hi")).deliveries).toEqual([])
    expect((await slack.as(ADA).mention(DOCS, "hi")).deliveries).toHaveLength(1)
    slack.setScopes(["chat:write"])
    expect((await slack.as(ADA).mention(DOCS, "hi")).deliveries).toEqual([])
    expect((await slack.as(ADA).directMessage("hi")).deliveries).toEqual([])
  })
})
