import type { ComponentChildren } from "preact"
import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  stringIn,
  typeOf,
} from "../../kit/json.ts"
import { SafeLink } from "../mrkdwn/safe-link.tsx"
import { Broadcast, ChannelMention, UserMention } from "../mrkdwn/text.tsx"
import type { BlockProps } from "./blocks.tsx"
import { CannotRender } from "./cannot-render.tsx"

export function RichText({ block }: BlockProps) {
  return (
    <div class="rich-text">
      {objectsIn(block.elements).map((element, index) => (
        <RichElement key={index} element={element} />
      ))}
    </div>
  )
}

const LINES = { rich_text_section: "p", rich_text_quote: "blockquote" } as const

function RichElement({ element }: { element: JsonObject }) {
  const { type } = element
  if (type === "rich_text_list") {
    const items = objectsIn(element.elements)
    return (
      <ul>
        {items.map((item, index) => (
          <RichLine key={index} as="li" line={item} />
        ))}
      </ul>
    )
  }
  if (type !== "rich_text_section" && type !== "rich_text_quote") {
    return <CannotRender what={typeOf(element)} />
  }
  return <RichLine as={LINES[type]} line={element} />
}

function RichLine({ as: Line, line }: { as: "p" | "blockquote" | "li"; line: JsonObject }) {
  return (
    <Line dir="auto">
      {objectsIn(line.elements).map((element, index) => (
        <Styled key={index} style={element.style}>
          <RichInline element={element} />
        </Styled>
      ))}
    </Line>
  )
}

function RichInline({ element }: { element: JsonObject }) {
  switch (element.type) {
    case "text":
      return <>{stringIn(element, "text")}</>
    case "link": {
      const url = stringIn(element, "url") ?? ""
      return <SafeLink url={url}>{stringIn(element, "text") ?? url}</SafeLink>
    }
    case "user":
      return <UserMention id={stringIn(element, "user_id") ?? ""} />
    case "channel":
      return <ChannelMention id={stringIn(element, "channel_id") ?? ""} label={undefined} />
    case "broadcast":
      return <Broadcast label={`@${stringIn(element, "range") ?? ""}`} />
    case "usergroup":
      return <Broadcast label="@group" />
    default:
      return <CannotRender what={typeOf(element)} />
  }
}

function Styled({ style, children }: { style: Json | undefined; children: ComponentChildren }) {
  if (!isObject(style)) return <>{children}</>
  const plain = style.strike === true ? <s>{children}</s> : children
  const inner = style.code === true ? <code>{plain}</code> : plain
  return style.bold === true ? <strong>{inner}</strong> : inner
}
