import { describe, expect, test } from "vitest"
import { wordsOf } from "../../src/slack/block-text.ts"

const rich = (...elements: object[]) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements }],
})
const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } })

describe("the words of a message", () => {
  test("are a person's text where its blocks say the same", () => {
    const blocks = [rich({ type: "text", text: "a bold " }, { type: "user", user_id: "U1" })]
    expect(wordsOf({ text: "a *bold* <@U1>", blocks })).toBe("a *bold* <@U1>")
  })

  test("are those of the blocks where the text says less, literal ones escaped", () => {
    const numbers = [{ value: 1 }, { value: 0.02, text: "2 %" }].map((cell) => {
      return { type: "raw_number", ...cell }
    })
    const blocks = [
      { type: "header", text: { type: "plain_text", text: "a < b" } },
      section("see <https://example.com|it>"),
      rich(
        { type: "text", text: "by " },
        { type: "link", url: "https://example.com/?a&b", text: "a" },
        { type: "emoji", name: "wave" },
        { type: "channel", channel_id: "C1" },
        { type: "broadcast", range: "here" },
        { type: "date", timestamp: 1_795_960_800, fallback: "May < June" },
      ),
      {
        type: "context",
        elements: [
          { type: "mrkdwn", text: "one" },
          { type: "image", alt_text: "two" },
        ],
      },
      { type: "table", rows: [[{ type: "raw_text", text: "x" }, ...numbers]] },
    ]
    expect(wordsOf({ text: "a < b".replace("<", "&lt;"), blocks })).toBe(
      [
        "a &lt; b",
        "see <https://example.com|it>",
        "by <https://example.com/?a&amp;b|a>:wave:<#C1><!here>May &lt; June",
        "one\n[two]",
        "x | 1 | 2 %",
      ].join("\n"),
    )
  })

  test("are the attachment's fallback only where it has no others", () => {
    expect(wordsOf({ text: "", attachments: [{ fallback: "plain" }] })).toBe("plain")
    const fields = [{ title: "Path", value: "/keys" }]
    const both = { pretext: "Log", title: "Title", text: "gone", fields, fallback: "plain" }
    expect(wordsOf({ text: "", attachments: [both] })).toBe("Log\nTitle\ngone\nPath: /keys")
  })

  test("have no preview of a link in them", () => {
    const attachments = [{ from_url: "https://example.com/a", title: "A preview" }]
    expect(wordsOf({ text: "see <https://example.com/a>", attachments })).not.toContain("preview")
  })

  test("of a forwarded message may stand in its blocks alone", () => {
    const message_blocks = [{ team: "T1", channel: "C1", message: { blocks: [section("hi")] } }]
    const attachments = [{ is_share: true, author_name: "Ben", message_blocks }]
    expect(wordsOf({ text: "look", attachments })).toBe("look\nForwarded from Ben: hi")
  })

  test("stay bounded, whatever comes", () => {
    let deep: object = { type: "mrkdwn", text: "too deep" }
    for (let n = 0; n < 50; n += 1) deep = { type: "context", elements: [deep] }
    const odd = [null, 1, "x", [], { type: 3 }, { type: "section", text: 5, fields: {} }]
    expect(wordsOf({ text: "", blocks: [deep, ...odd], attachments: odd })).toBe("")
    const long = Array.from({ length: 50 }, () => section("y".repeat(3000)))
    const attachments = Array.from({ length: 100 }, (_, n) => ({ text: `${n} `.repeat(1000) }))
    expect(wordsOf({ text: "", blocks: long, attachments }).length).toBeLessThan(20_001)
  })
})
