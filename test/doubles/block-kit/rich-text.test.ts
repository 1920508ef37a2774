import { describe, expect, it } from "vitest"
import { validateMessageBlocks } from "../../sandbox/slack/block-kit/validate.ts"
import type { Json } from "../../sandbox/slack/json.ts"
import { type AcceptedCase, type RefusedCase, text } from "./cases.ts"

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
        { type: "usergroup", usergroup_id: "S1" },
        { type: "channel", channel_id: "C1" },
        { type: "team", team_id: "T1" },
        { type: "emoji", name: "wave", unicode: "1f44b" },
        { type: "color", value: "#ffffff" },
        { type: "broadcast", range: "here" },
        { type: "date", timestamp: 1_700_000_000, format: "{date_short}", fallback: "2023" },
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

describe("newer blocks", () => {
  const task = { type: "task_card", task_id: "1", title: "Edit", status: "in_progress" }
  const card = { type: "card", title: text("Page") }
  const box = { type: "container", title: text("Box"), child_blocks: [{ type: "divider" }] }

  it.each([
    ["a task card", task],
    ["a plan", { type: "plan", title: "Plan", tasks: [{ ...task, status: "pending" }] }],
    ["a card", card],
    ["a carousel", { type: "carousel", elements: [card] }],
    ["a container", { ...box, is_collapsible: true, default_collapsed: true }],
  ])("may be %s", (_name, block) => {
    expect(validateMessageBlocks([block])).toEqual([])
  })

  it.each([
    [
      "a pending task on its own",
      { ...task, status: "pending" },
      "/status must be one of: in_progress, complete, error",
    ],
    [
      "a plan with a text object as title",
      { type: "plan", title: text("Plan") },
      "/title must provide a string",
    ],
    [
      "a card of nothing",
      { type: "card" },
      " must provide one of hero_image, title, actions, body",
    ],
    [
      "an empty carousel",
      { type: "carousel", elements: [] },
      "/elements at least 1 items required",
    ],
    [
      "a chart in a container",
      { ...box, child_blocks: [{ type: "data_visualization" }] },
      "/child_blocks/0/type unsupported type",
    ],
    [
      "a container without a title",
      { type: "container", child_blocks: box.child_blocks },
      " must provide either title or rich_text_title",
    ],
    [
      "a collapsed container that cannot open",
      { ...box, default_collapsed: true },
      " default_collapsed requires is_collapsible",
    ],
  ])("may not be %s", (_name, block, fault) => {
    const faults = validateMessageBlocks([block]).map((one) => `${one.pointer} ${one.message}`)
    expect(faults).toContain(`/blocks/0${fault}`)
  })
})
