import { describe } from "vitest"
import type { Json, JsonObject } from "../../sandbox/kit/json.ts"
import { type AcceptedCase, checkBlocks, type RefusedCase } from "./cases.ts"

const rich = (...elements: Json[]) => ({ type: "rich_text", elements })
const section = (...elements: Json[]) => ({ type: "rich_text_section", elements })
const words = { type: "text", text: "<!channel> & co", style: { bold: true, code: true } }
const list = (more: JsonObject) => rich({ type: "rich_text_list", style: "bullet", ...more })

const accepted: AcceptedCase[] = [
  ["a section", rich(section(words))],
  ["a list", list({ elements: [section(words)] })],
  ["a quote", rich({ type: "rich_text_quote", elements: [words] })],
]

const refused: RefusedCase[] = [
  ["an unknown part", rich({ type: "rich_text_table" }), "/elements/0/type unsupported type"],
  [
    "an unknown inline element",
    rich(section({ type: "blink" })),
    "/elements/0/elements/0/type must be one of: text",
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
    "text right inside a list",
    list({ elements: [words] }),
    "/elements/0/elements/0/type must be one of: rich_text_section",
  ],
  [
    "a list without a style",
    rich({ type: "rich_text_list", elements: [section(words)] }),
    "/elements/0/style must be one of: bullet",
  ],
]

describe("rich text", () => checkBlocks(accepted, refused))
