import { describe, expect, it } from "vitest"
import { WebSocket } from "ws"
import { clientOf, refusal, useLocalSlack } from "../helpers/local-slack.ts"
import { listen } from "../sandbox/kit/http-server.ts"
import { stringIn } from "../sandbox/kit/json.ts"
import {
  ADA,
  ADA_DM,
  BEN,
  DOCS,
  EDITORS,
  GUS,
  LEADS,
  OLD_DOCS,
  RANDOM,
} from "../sandbox/slack/index.ts"

const h = useLocalSlack({ eventRetryDelaysMs: [0, 1, 2] })
const text = (content: string) => ({ type: "plain_text" as const, text: content })

describe("a person", () => {
  it("writes nowhere where Slack would not let them", async () => {
    await expect(h.slack.as(BEN).post(LEADS, "hi")).rejects.toThrow("Ben is not in #leads")
    await expect(h.slack.as(ADA).slash(OLD_DOCS, "/docs-agent")).rejects.toThrow("is archived")
    expect(() => h.slack.as("U0NOBODY")).toThrow("no user U0NOBODY")
  })

  it.each([
    ["@Docs Agent fix it", "<@U0DOCSAGENT> fix it"],
    ["@docs agent, please", "<@U0DOCSAGENT>, please"],
    ["@docs-agent fix it", "<@U0DOCSAGENT> fix it"],
    ["(@Ben) and @ada", "(<@U0BEN00001>) and <@U0ADA00001>"],
    ["@Docs Agents and @Benny", "@Docs Agents and @Benny"],
    ["mail a@Docs Agent", "mail a@Docs Agent"],
    ["@Docs", "@Docs"],
  ])("types %j, which is stored as %j", async (typed, stored) => {
    expect((await h.slack.as(ADA).post(DOCS, typed)).text).toBe(stored)
  })

  it("sends a command's text as typed, with three entities, while escaping is off", async () => {
    const typed = "ask @ben about #random at https://example.com/a & <b>"
    const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", typed)
    expect(payload.text).toBe("ask @ben about #random at https://example.com/a &amp; &lt;b&gt;")
  })

  it("alone clicks a private message's button, of which Slack sends no copy", async () => {
    const button = { type: "button", action_id: "page", text: text("Next") }
    const blocks = [{ type: "actions", elements: [button] }]
    const message = { channel: DOCS, user: GUS, text: "only you", blocks }
    const { message_ts } = await h.client.chat.postEphemeral(message)
    const ref = { channel: DOCS, ts: String(message_ts) }
    await h.slack.as(GUS).click(ref, "Next")
    const payload = h.slack.deliveries.at(-1)?.delivery.payload
    expect(payload).toMatchObject({ container: { is_ephemeral: true } })
    expect(payload).not.toHaveProperty("message")
    await expect(h.slack.as(ADA).click(ref, "Next")).rejects.toThrow("Ada can't see message")
  })
})

describe("a view", () => {
  const input = { type: "plain_text_input", action_id: "text", max_length: 3 }

  async function trigger(): Promise<string> {
    const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent")
    return stringIn(payload, "trigger_id") ?? "no trigger"
  }

  function open(trigger_id: string, element: object = input) {
    const blocks = [{ type: "input", label: text("Prompt"), element }]
    const view = { type: "modal" as const, title: text("Ask"), submit: text("Send"), blocks }
    return h.client.views.open({ trigger_id, view })
  }

  it("opens once for a trigger, within three seconds", async () => {
    const first = await trigger()
    await open(first)
    expect(await refusal(open(first))).toBe("exchanged_trigger_id")
    const late = await trigger()
    h.time += 3000
    expect(await refusal(open(late))).toBe("expired_trigger_id")
    expect(await refusal(open("1.2.3"))).toBe("invalid_trigger_id")
  })

  it("checks an input's length itself", async () => {
    await open(await trigger())
    const submission = await h.slack.as(ADA).submitModal({ text: "four" })
    expect(submission).toMatchObject({ refusedBy: "client", accepted: false })
  })

  it("pre-selects what a select's own filter lets through and nothing else", async () => {
    const select = async (initial_conversation: string, ...include: string[]) => {
      const type = "conversations_select"
      const element = { type, action_id: "where", initial_conversation, filter: { include } }
      return open(await trigger(), element)
    }
    await select(DOCS, "public", "private")
    await select(ADA_DM, "im")
    const group = h.slack.openConversation([ADA, BEN], { bot: true })
    for (const [selected, ...include] of [
      [ADA_DM, "public", "private"],
      [EDITORS, "public"],
      [group, "public", "private"],
    ] as const)
      expect(await refusal(select(selected, ...include))).toBe("invalid_arguments")
  })
})

describe("an event", () => {
  /** Starts a bot that answers with these statuses. @returns the retry headers that it was sent */
  async function botThatAnswers(...statuses: number[]) {
    const received: [number: unknown, reason: unknown][] = []
    const bot = await listen(0, ({ headers }, response) => {
      received.push([headers["x-slack-retry-num"], headers["x-slack-retry-reason"]])
      response.writeHead(statuses.shift() ?? 200).end()
    })
    h.slack.setEventsUrl(bot.url)
    return { received, [Symbol.asyncDispose]: bot.close }
  }
  const ids = () => h.slack.deliveries.map(({ delivery: { payload } }) => payload.event_id)

  it("is repeated, as the same one, until it is acknowledged", async () => {
    await using bot = await botThatAnswers(500, 404, 200)
    const { deliveries } = await h.slack.as(ADA).mention(DOCS, "hi")
    expect(deliveries).toMatchObject([{ ok: false, status: 500, failure: "http_error" }])
    await h.slack.until((one) => one.deliveries.length === 3)
    expect(bot.received).toEqual([
      [undefined, undefined],
      ["1", "http_error"],
      ["2", "http_error"],
    ])
    expect(ids()).toEqual(Array(3).fill(expect.stringMatching(/^Ev/)))
    expect(new Set(ids()).size).toBe(1)
  })

  it("is repeated three times at the most", async () => {
    await using bot = await botThatAnswers(500, 500, 500, 500)
    await h.slack.as(ADA).mention(DOCS, "hi")
    await h.slack.until((one) => one.deliveries.length === 4)
    await h.slack.sendEvent({ type: "app_uninstalled" })
    expect(bot.received.map(([number]) => number)).toEqual([undefined, "1", "2", "3", undefined])
  })

  it("reaches the bot only as a member, with the scope and the subscription", async () => {
    const delivered = async (channel: string = DOCS) =>
      (await h.slack.as(ADA).mention(channel, "hi")).deliveries.length
    expect(await delivered(RANDOM)).toBe(0)
    expect(await delivered()).toBe(1)
    h.slack.setScopes(["chat:write"])
    expect(await delivered()).toBe(0)
    expect((await h.slack.as(ADA).directMessage("hi")).deliveries).toEqual([])
  })
})

describe("Socket Mode", () => {
  const appToken = "xapp-local"
  const s = useLocalSlack({ appToken, mode: "socket", ackTimeoutMs: 500 })

  async function ticket(): Promise<string> {
    const { url } = await clientOf(s.slack, appToken).apps.connections.open()
    return String(url)
  }

  function connect(url: string): Promise<{ type: string }> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url)
      socket.on("error", reject)
      socket.on("message", (data: Buffer) => resolve(JSON.parse(data.toString())))
    })
  }

  it("has tickets for app tokens only, each good for one of ten connections", async () => {
    expect(await refusal(s.client.apps.connections.open())).toBe("not_allowed_token_type")
    const first = await ticket()
    expect((await connect(first)).type).toBe("hello")
    await expect(connect(first)).rejects.toThrow(/408/)
    for (let n = 2; n <= 10; n += 1)
      expect(await connect(await ticket())).toMatchObject({ num_connections: n })
    expect(await connect(await ticket())).toMatchObject({ reason: "too_many_websockets" })
  })
})
