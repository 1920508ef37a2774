import { describe, expect, it } from "vitest"
import { validateMessageBlocks } from "../../sandbox/slack/block-kit/validate.ts"
import type { Json } from "../../sandbox/slack/json.ts"
import type { AcceptedCase, RefusedCase } from "./cases.ts"

const rich = (...elements: Json[]) => ({ type: "rich_text", elements })
const section = (...elements: Json[]) => ({ type: "rich_text_section", elements })
const words = { type: "text", text: "<!channel> & co", style: { bold: true, code: true } }

const accepted: AcceptedCase[] = [
  [
    "every inline element",
    rich(
      section(
        words,
        { type: "link", url: "https://example.com", text: "here", unsafe: true },
        { type: "user", user_id: "U1" },
        { type: "channel", channel_id: "C1" },
        { type: "emoji", name: "wave", unicode: "1f44b" },
      ),
    ),
  ],
  [
    "a nested list",
    rich({ type: "rich_text_list", style: "ordered", indent: 8, elements: [section(words)] }),
  ],
  ["a quote", rich({ type: "rich_text_quote", border: 1, elements: [words] })],
  ["preformatted text", rich({ type: "rich_text_preformatted", border: 0, elements: [words] })],
]

const refused: RefusedCase[] = [
  ["an unknown part", rich({ type: "rich_text_table" }), "/elements/0/type unsupported type"],
  [
    "an unknown inline element",
    rich(section({ type: "blink" })),
    "/elements/0/elements/0/type unsupported type",
  ],
  [
    "empty text",
    rich(section({ type: "text", text: "" })),
    "/elements/0/elements/0/text must be more than 0 characters",
  ],
  [
    "an unknown style",
    rich(section({ ...words, style: { blink: true } })),
    "/elements/0/elements/0/style invalid additional property: blink",
  ],
  ["text outside a section", rich(words), "/elements/0/type unsupported type"],
  [
    "a mention in preformatted text",
    rich({ type: "rich_text_preformatted", elements: [{ type: "user", user_id: "U1" }] }),
    "/elements/0/elements/0/type unsupported type",
  ],
  [
    "text right inside a list",
    rich({ type: "rich_text_list", style: "bullet", elements: [words] }),
    "/elements/0/elements/0/type must be one of: rich_text_section",
  ],
  [
    "a list without a style",
    rich({ type: "rich_text_list", elements: [section(words)] }),
    "/elements/0/style must be one of: bullet, ordered",
  ],
  [
    "a list too deep",
    rich({ type: "rich_text_list", style: "bullet", indent: 9, elements: [] }),
    "/elements/0/indent must be no more than 8",
  ],
]

describe("rich text", () => {
  it.each(accepted)("may hold %s", (_name, block) => {
    expect(validateMessageBlocks([block])).toEqual([])
  })

  it.each(refused)("may not hold %s", (_name, block, fault) => {
    const faults = validateMessageBlocks([block]).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(`/blocks/0${fault}`)
  })
})
