import { describe, expect, it } from "vitest"
import { formatIssue, validateMessageBlocks } from "../../sandbox/slack/index.ts"
import {
  type AcceptedCase,
  button,
  checkBlocks,
  mrkdwn,
  option,
  type RefusedCase,
  text,
  times,
} from "./cases.ts"

const accepted: AcceptedCase[] = [
  ["3000 emoji, counted in code points", { type: "section", text: mrkdwn("🚀".repeat(3000)) }],
]

const refused: RefusedCase[] = [
  ["an unknown type", { type: "marquee" }, "/type unsupported type: marquee"],
  ["an empty section", { type: "section" }, " must provide either text or fields"],
  [
    "verbatim plain text",
    { type: "section", text: { ...text("x"), verbatim: true } },
    "/text invalid additional property: verbatim",
  ],
  [
    "a header in mrkdwn",
    { type: "header", text: mrkdwn("x") },
    "/text/type must be one of: plain_text",
  ],
  ["a URL that is none", actions(button("a", { url: "nowhere" })), "/elements/0/url invalid url"],
  [
    "two actions of one id",
    actions(button("a"), button("a")),
    '/elements/1/action_id `action_id` must be unique: "a"',
  ],
  [
    "a stray initial option",
    section({ type: "static_select", options: [option("a")], initial_option: option("b") }),
    "/accessory initial option must be one of the options",
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
