import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, quiet } from "../helpers/slack-client.ts"
import { houseRules } from "../sandbox/house-rules.ts"
import { type JsonObject, stringIn } from "../sandbox/kit/json.ts"
import { ADA, ADA_DM, BEN, DOCS, type LocalSlack, startLocalSlack } from "../sandbox/slack/index.ts"

const botToken = "xoxb-local"
const blocks = [
  {
    type: "actions",
    elements: [{ type: "button", text: { type: "plain_text", text: "Go" }, action_id: "go" }],
  },
]
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http", houseRules })
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

function lastResponseUrl(): string {
  return stringIn(slack.deliveries.at(-1)?.delivery.payload ?? {}, "response_url") ?? ""
}

async function answer(url: string, body: JsonObject): Promise<number> {
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status
}

/** Returns the response URL of Ben's click on a bot reply, and the thread's ts. */
async function clickInThread() {
  const root = await slack.as(ADA).post(DOCS, "root")
  const reply = { channel: DOCS, thread_ts: root.ts, text: "a", blocks, ...quiet }
  const { ts } = await client.chat.postMessage(reply)
  await slack.as(BEN).click({ channel: DOCS, ts: String(ts) }, "Go")
  return { url: lastResponseUrl(), root: root.ts }
}

describe("handling user interaction", () => {
  it('says "to specify the thread, include a thread_ts": without it the root of the channel', async () => {
    const { url, root } = await clickInThread()
    await answer(url, { text: "psst" })
    expect(slack.ephemerals(BEN)).toMatchObject([{ text: "psst", threadTs: undefined }])
    await answer(url, { text: "all", response_type: "in_channel", replace_original: false })
    expect(slack.channel(DOCS).messages().at(-1)?.text).toBe("all")
    expect(slack.thread(DOCS, root)).toHaveLength(2)
  })

  it("takes the thread_ts of an answer, for one person and for all", async () => {
    const { url, root } = await clickInThread()
    await answer(url, { text: "psst", thread_ts: root })
    expect(slack.ephemerals(BEN)).toMatchObject([{ text: "psst", threadTs: root }])
    await answer(url, { text: "all", response_type: "in_channel", thread_ts: root })
    expect(slack.thread(DOCS, root).at(-1)?.text).toBe("all")
  })
})

describe("chat.postEphemeral", () => {
  it('says that in threads they "are only shown if there is already an active thread"', async () => {
    const { ts } = await slack.as(ADA).post(DOCS, "nobody replied")
    const sent = await client.chat.postEphemeral({
      channel: DOCS,
      user: ADA,
      text: "hi",
      thread_ts: ts,
    })
    expect(sent.ok).toBe(true)
    expect(slack.ephemerals(ADA)).toEqual([])
    expect(slack.violations).toEqual([expect.stringContaining("shows it to nobody")])
  })

  it('says "delivery is not guaranteed": in the bot\'s own direct message it is a violation', async () => {
    await client.chat.postEphemeral({ channel: ADA_DM, user: ADA, text: "hi" })
    expect(slack.violations).toEqual([expect.stringContaining("own direct message")])
  })
})

describe("a response URL in the bot's own direct message", () => {
  it("may answer there for good, and not for the moment", async () => {
    await slack.as(ADA).slash(ADA_DM, "/docs-agent", "x")
    const url = lastResponseUrl()
    await answer(url, { text: "kept", response_type: "in_channel" })
    expect(slack.channel(ADA_DM).messages()).toMatchObject([{ text: "kept" }])
    expect(slack.violations).toEqual([])
    await answer(url, { text: "lost" })
    expect(slack.violations).toHaveLength(1)
  })
})
