import { describe, expect, it } from "vitest"
import { formatIssue } from "../../sandbox/slack/block-kit/issue.ts"
import { validateMessageBlocks } from "../../sandbox/slack/block-kit/validate.ts"
import {
  type AcceptedCase,
  button,
  checkBlocks,
  letters,
  mrkdwn,
  option,
  type RefusedCase,
  text,
  times,
} from "./cases.ts"

const accepted: AcceptedCase[] = [
  ["a section of 3000 characters", { type: "section", text: mrkdwn(letters(3000)) }],
  ["3000 emoji, counted in code points", { type: "section", text: mrkdwn("🚀".repeat(3000)) }],
  ["ten fields", { type: "section", fields: times(10, () => mrkdwn(letters(2000))) }],
  ["a header of 150 characters", { type: "header", text: text(letters(150)) }],
  ["a divider", { type: "divider", block_id: "rule" }],
  ["ten context elements", { type: "context", elements: times(10, () => mrkdwn("x")) }],
  ["25 actions", { type: "actions", elements: times(25, (n) => button(`a${n}`)) }],
  ["a link button", { type: "actions", elements: [button("a", { url: "https://example.com" })] }],
  ["a select accessory", section({ type: "static_select", options: [option("a"), option("b")] })],
]

const refused: RefusedCase[] = [
  ["an unknown type", { type: "marquee" }, "/type unsupported type: marquee"],
  ["no type", {}, " missing required field: type"],
  ["no object", "x", " must provide an object"],
  ["an empty section", { type: "section" }, " must provide either text or fields"],
  [
    "empty text",
    { type: "section", text: mrkdwn("") },
    "/text/text must be more than 0 characters",
  ],
  [
    "3001 characters",
    { type: "section", text: mrkdwn(letters(3001)) },
    "/text/text must be less than 3001 characters",
  ],
  ["a bare string as text", { type: "section", text: "x" }, "/text must provide an object"],
  [
    "a field too long",
    { type: "section", fields: [mrkdwn(letters(2001))] },
    "/fields/0/text must be less than 2001 characters",
  ],
  [
    "eleven fields",
    { type: "section", fields: times(11, () => mrkdwn("x")) },
    "/fields no more than 10 items allowed",
  ],
  [
    "verbatim plain text",
    { type: "section", text: { ...text("x"), verbatim: true } },
    "/text invalid additional property: verbatim",
  ],
  [
    "a long header",
    { type: "header", text: text(letters(151)) },
    "/text/text must be less than 151 characters",
  ],
  [
    "a header in mrkdwn",
    { type: "header", text: mrkdwn("x") },
    "/text/type must be one of: plain_text",
  ],
  [
    "eleven context elements",
    { type: "context", elements: times(11, () => mrkdwn("x")) },
    "/elements no more than 10 items allowed",
  ],
  [
    "26 actions",
    { type: "actions", elements: times(26, (n) => button(`a${n}`)) },
    "/elements no more than 25 items allowed",
  ],
  [
    "an input as an action",
    { type: "actions", elements: [{ type: "plain_text_input" }] },
    "/elements/0/type unsupported type",
  ],
  [
    "a long button",
    actions({ ...button("a"), text: text(letters(76)) }),
    "/elements/0/text/text must be less than 76 characters",
  ],
  [
    "a long value",
    actions(button("a", { value: letters(2001) })),
    "/elements/0/value must be less than 2001 characters",
  ],
  ["a URL that is none", actions(button("a", { url: "nowhere" })), "/elements/0/url invalid url"],
  [
    "a disabled button",
    actions(button("a", { disabled: true })),
    "/elements/0 invalid additional property: disabled",
  ],
  [
    "a long confirmation",
    actions(button("a", { confirm: { title: text("x"), text: text(letters(301)) } })),
    "/elements/0/confirm/text/text must be less than 301 characters",
  ],
  [
    "a long action id",
    actions(button(letters(256))),
    "/elements/0/action_id must be less than 256 characters",
  ],
  [
    "two actions of one id",
    actions(button("a"), button("a")),
    '/elements/1/action_id `action_id` must be unique: "a"',
  ],
  [
    "a long block id",
    { type: "divider", block_id: letters(256) },
    "/block_id must be less than 256 characters",
  ],
  [
    "101 options",
    section({ type: "static_select", options: times(101, (n) => option(`${n}`)) }),
    "/accessory/options no more than 100 items allowed",
  ],
  [
    "a stray initial option",
    section({ type: "static_select", options: [option("a")], initial_option: option("b") }),
    "/accessory initial option must be one of the options",
  ],
  [
    "a select without options",
    section({ type: "static_select" }),
    "/accessory/options missing required field",
  ],
  [
    "a long option",
    section({ type: "static_select", options: [option(letters(76))] }),
    "/accessory/options/0/value must be less than 76 characters",
  ],
]

describe("a message block", () => checkBlocks(accepted, refused))

describe("the blocks of a message", () => {
  it("are 50 at most", () => {
    const blocks = times(51, () => ({ type: "divider" }))
    expect(validateMessageBlocks(blocks.slice(1))).toEqual([])
    expect(validateMessageBlocks(blocks).map(formatIssue)).toEqual([
      "no more than 50 items allowed [json-pointer:/blocks]",
    ])
  })

  it("have ids of their own", () => {
    const divider = { type: "divider", block_id: "same" }
    expect(validateMessageBlocks([divider, divider]).map((one) => one.pointer)).toEqual([
      "/blocks/1/block_id",
    ])
  })

  it("may repeat an action id in another block", () => {
    expect(validateMessageBlocks([actions(button("a")), actions(button("a"))])).toEqual([])
  })

  it("are an array", () => {
    expect(validateMessageBlocks("[]")).toEqual([
      { pointer: "/blocks", message: "must provide an array" },
    ])
  })
})

function actions(...elements: ReturnType<typeof button>[]) {
  return { type: "actions", elements }
}

function section(accessory: AcceptedCase[1]) {
  return { type: "section", text: mrkdwn("x"), accessory }
}
