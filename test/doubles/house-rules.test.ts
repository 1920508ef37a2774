import { describe, expect, it } from "vitest"
import { houseRules } from "../sandbox/house-rules.ts"
import type { JsonObject } from "../sandbox/kit/json.ts"
import { mrkdwn, text } from "./block-kit/cases.ts"

const message = (args: JsonObject) => houseRules({ by: "chat.update", message: args })
const blocks = (list: JsonObject[]) => houseRules({ by: "home view", view: { blocks: list } })
const posted = (args: JsonObject) => houseRules({ by: "chat.postMessage", message: args })
const section = (object: JsonObject) => [{ type: "section", text: object }]

describe("a message", () => {
  it.each<[string, JsonObject, RegExp]>([
    ["blocks without text", { blocks: [{ type: "divider" }] }, /screen readers/],
    ["blocks with blank text", { blocks: [{ type: "divider" }], text: " " }, /screen readers/],
    ["names to link", { text: "x", link_names: "true" }, /link_names/],
    ["text to parse", { text: "x", parse: "full" }, /parse/],
    ["a broadcast reply", { text: "x", reply_broadcast: "true" }, /reply_broadcast/],
    ["a call of the channel", { text: "hi <!channel>" }, /many people/],
    ["a call of those here", { text: "<!here|here>" }, /many people/],
    ["a call of everyone", { text: "<!everyone>" }, /many people/],
    ["a call of a group", { text: "<!subteam^S1|@docs>" }, /many people/],
  ])("may not carry %s", (_name, args, violation) => {
    expect(message(args)).toEqual([expect.stringMatching(violation)])
  })

  it("may not say more in its blocks than in its text, but for buttons and columns", () => {
    const button = { type: "button", text: text("Press") }
    const list = [...section(mrkdwn("*Hi* there")), { type: "actions", elements: [button] }]
    expect(message({ text: "Hi", blocks: list })).toEqual([expect.stringMatching(/lacks: there$/)])
    expect(message({ text: "Hi there", blocks: list })).toEqual([])
    const link = { ...button, url: "https://example.com/a" }
    const linked = [...section(mrkdwn("Hi")), { type: "actions", elements: [link] }]
    expect(message({ text: "Hi", blocks: linked })).toEqual([expect.stringMatching(/an address/)])
  })

  it("may end before its blocks where Slack's limit cuts it, but leaves nothing out above", () => {
    const words = Array.from({ length: 1_000 }, (_, n) => `word${n}`)
    const list = [words.slice(0, 500), words.slice(500)].flatMap((part) =>
      section(mrkdwn(part.join(" "))),
    )
    const cut = (said: string[]) => `${said.join(" ").slice(0, 3_900)}…`
    expect(message({ text: cut(words), blocks: list })).toEqual([])
    const left = words.filter((word) => word !== "word250")
    expect(message({ text: cut(left), blocks: list })).toEqual([
      expect.stringMatching(/lacks: word250$/),
    ])
  })

  it("may not be longer to one person than what they see at once", () => {
    const blocks = section(mrkdwn("y".repeat(4_001)))
    const long = { by: "privately", message: { text: "y", blocks }, inOwnDirectMessage: false }
    expect(houseRules(long)).toEqual([expect.stringMatching(/4001 bytes/)])
  })

  it("may mention one person and carry escaped calls", () => {
    expect(message({ text: "<@U1> wrote &lt;!channel&gt;" })).toEqual([])
  })

  it("says that neither links nor media unfurl", () => {
    expect(posted({ unfurl_links: "false", unfurl_media: false })).toEqual([])
    expect(posted({ unfurl_links: true })).toHaveLength(2)
  })
})

describe("blocks", () => {
  it.each<[string, JsonObject[]]>([
    ["a bare name", section(mrkdwn("ask @here"))],
    ["a bare name in brackets", section(mrkdwn("(@ada)"))],
    ["a bare channel", section(mrkdwn("see #docs"))],
    ["a call in verbatim text", section({ ...mrkdwn("<!here>"), verbatim: true })],
  ])("may not carry %s", (_name, list) => {
    expect(blocks(list)).toHaveLength(1)
  })

  it.each<[string, JsonObject[]]>([
    ["a bare name in verbatim text", section({ ...mrkdwn("@here"), verbatim: true })],
    ["a mention of one person", section(mrkdwn("<@U1> and <#C1|docs>"))],
    ["an e-mail address", section(mrkdwn("ada@example.com"))],
    ["a link with a name in it", section(mrkdwn("<https://example.com/@ada#top>"))],
    ["a call nobody reads as one", section(text("<!channel> @here"))],
  ])("may carry %s", (_name, list) => {
    expect(blocks(list)).toEqual([])
  })
})
