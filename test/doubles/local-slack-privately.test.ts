import { describe, expect, it } from "vitest"
import { quiet, useLocalSlack } from "../helpers/local-slack.ts"
import { houseRules } from "../sandbox/house-rules.ts"
import { type JsonObject, stringIn } from "../sandbox/kit/json.ts"
import { ADA, ADA_DM, BEN, DOCS, RANDOM } from "../sandbox/slack/index.ts"

const h = useLocalSlack({ houseRules })
const button = { type: "button", text: { type: "plain_text", text: "Go" }, action_id: "go" }
const blocks = [{ type: "actions", elements: [button] }]

async function answer(url: string, body: JsonObject): Promise<number> {
  const headers = { "content-type": "application/json" }
  return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status
}

/** Resolves to the response URL of a command. */
async function commanded(channel: string = DOCS) {
  const { payload } = await h.slack.as(ADA).slash(channel, "/docs-agent", "x")
  return stringIn(payload, "response_url") ?? ""
}

/** Resolves to the response URL of Ben's click on a message of the bot. */
async function clicked(channel: string, ts: unknown) {
  await h.slack.as(BEN).click({ channel, ts: String(ts) }, "Go")
  return stringIn(h.slack.deliveries.at(-1)?.delivery.payload ?? {}, "response_url") ?? ""
}

describe("a response URL", () => {
  it('says "to specify the thread, include a thread_ts": without it the root of the channel', async () => {
    const { ts: root } = await h.slack.as(ADA).post(DOCS, "root")
    const reply = { channel: DOCS, thread_ts: root, text: "a", blocks, ...quiet }
    const url = await clicked(DOCS, (await h.client.chat.postMessage(reply)).ts)
    const toAll = { text: "all", response_type: "in_channel", replace_original: false }
    await answer(url, { text: "psst" })
    await answer(url, { text: "psst", thread_ts: root })
    const shown = h.slack.ephemerals(BEN).map(({ text, threadTs }) => [text, threadTs])
    expect(shown).toEqual([
      ["psst", undefined],
      ["psst", root],
    ])
    await answer(url, toAll)
    expect(h.slack.channel(DOCS).messages().at(-1)?.text).toBe("all")
    expect(h.slack.thread(DOCS, root)).toHaveLength(2)
    await answer(url, { ...toAll, thread_ts: root })
    expect(h.slack.thread(DOCS, root).map(({ text }) => text)).toEqual(["root", "a", "all"])
  })

  it("answers five times, where the bot is no member", async () => {
    const url = await commanded(RANDOM)
    for (let n = 1; n <= 5; n += 1)
      expect(await answer(url, { response_type: "in_channel", text: `${n}` })).toBe(200)
    expect(await answer(url, { text: "6" })).toBe(404)
    expect(h.slack.channel(RANDOM).messages()).toHaveLength(5)
    expect(h.slack.calls.at(-1)).toMatchObject({ method: "response_url", error: "used_url" })
  })

  it("refuses bad payloads, invented addresses and uses after half an hour", async () => {
    const url = await commanded()
    expect(await answer(url, { text: "x", blocks: [{ type: "marquee" }] })).toBe(400)
    expect(await answer(`${h.slack.url}/response/ABC`, { text: "x" })).toBe(404)
    h.time += 30 * 60_000
    expect(await answer(url, { text: "x" })).toBe(404)
    expect(h.slack.calls.at(-1)).toMatchObject({ method: "response_url", error: "expired_url" })
  })

  it("may answer in the bot's own direct message for good, and not for the moment", async () => {
    const url = await commanded(ADA_DM)
    await answer(url, { text: "kept", response_type: "in_channel" })
    expect(h.slack.channel(ADA_DM).messages()).toMatchObject([{ text: "kept" }])
    expect(h.slack.violations).toEqual([])
    await answer(url, { text: "lost" })
    expect(h.slack.violations).toHaveLength(1)
  })
})

describe("chat.postEphemeral", () => {
  const show = (channel: string, thread_ts?: string) =>
    h.client.apiCall("chat.postEphemeral", { channel, user: ADA, text: "hi", thread_ts })

  it('says that in threads they "are only shown if there is already an active thread"', async () => {
    const { ts } = await h.slack.as(ADA).post(DOCS, "nobody replied")
    expect((await show(DOCS, ts)).ok).toBe(true)
    expect(h.slack.ephemerals(ADA)).toEqual([])
    expect(h.slack.violations).toEqual([expect.stringContaining("shows it to nobody")])
  })

  it('says "delivery is not guaranteed": in the bot\'s own direct message it is a violation', async () => {
    await show(ADA_DM)
    expect(h.slack.violations).toEqual([expect.stringContaining("own direct message")])
  })
})
