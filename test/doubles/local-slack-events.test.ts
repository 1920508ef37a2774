import { buffer } from "node:stream/consumers"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { useLocalSlack } from "../helpers/local-slack.ts"
import { type HttpServer, listen } from "../sandbox/kit/http-server.ts"
import { ADA, DOCS, RANDOM } from "../sandbox/slack/index.ts"

const h = useLocalSlack({ eventRetryDelaysMs: [0, 1, 2] })

describe("retries", () => {
  /** Requests that reached the bot: retry headers and event id. */
  let received: [number: string, reason: string, event: string][]
  let answers: number[]
  let bot: HttpServer

  beforeEach(async () => {
    received = []
    bot = await listen(0, (request, response) => {
      void buffer(request).then((body) => {
        const { event_id } = JSON.parse(body.toString())
        const header = (name: string) => String(request.headers[name] ?? "")
        received.push([header("x-slack-retry-num"), header("x-slack-retry-reason"), event_id])
        response.writeHead(answers.shift() ?? 200).end()
      })
    })
    h.slack.setEventsUrl(bot.url)
  })
  afterEach(() => bot.close())

  it("repeat the same event until it is acknowledged", async () => {
    answers = [500, 404, 200]
    const { deliveries } = await h.slack.as(ADA).mention(DOCS, "hi")
    expect(deliveries).toMatchObject([{ ok: false, status: 500, failure: "http_error" }])
    await h.slack.until((one) => one.deliveries.length === 3)
    const id = received[0]?.[2]
    expect(received).toEqual([
      ["", "", id],
      ["1", "http_error", id],
      ["2", "http_error", id],
    ])
  })

  it("end after three", async () => {
    answers = [500, 500, 500, 500]
    await h.slack.as(ADA).mention(DOCS, "hi")
    await h.slack.until((one) => one.deliveries.length === 4)
    await h.slack.sendEvent({ type: "app_uninstalled" })
    expect(received.map(([number]) => number)).toEqual(["", "1", "2", "3", ""])
  })
})

it("reach the bot only as a member, with the scope and the subscription", async () => {
  const delivered = async (channel: string = DOCS) =>
    (await h.slack.as(ADA).mention(channel, "hi")).deliveries.length
  expect(await delivered(RANDOM)).toBe(0)
  expect(await delivered()).toBe(1)
  h.slack.setScopes(["chat:write"])
  expect(await delivered()).toBe(0)
  expect((await h.slack.as(ADA).directMessage("hi")).deliveries).toEqual([])
})
