import type { ComponentChildren } from "preact"
import { isObject, type Json, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
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

function RichElement({ element }: { element: JsonObject }) {
  switch (element.type) {
    case "rich_text_section":
      return (
        <p dir="auto">
          <RichInlines elements={objectsIn(element.elements)} />
        </p>
      )
    case "rich_text_quote":
      return (
        <blockquote dir="auto">
          <RichInlines elements={objectsIn(element.elements)} />
        </blockquote>
      )
    case "rich_text_list":
      return (
        <ul>
          {objectsIn(element.elements).map((item, index) => (
            <li key={index} dir="auto">
              <RichInlines elements={objectsIn(item.elements)} />
            </li>
          ))}
        </ul>
      )
    default:
      return <CannotRender what={stringIn(element, "type") ?? ""} />
  }
}

function RichInlines({ elements }: { elements: readonly JsonObject[] }) {
  return elements.map((element, index) => (
    <Styled key={index} style={element.style}>
      <RichInline element={element} />
    </Styled>
  ))
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
      return <CannotRender what={stringIn(element, "type") ?? ""} />
  }
}

function Styled({ style, children }: { style: Json | undefined; children: ComponentChildren }) {
  if (!isObject(style)) return <>{children}</>
  const plain = style.strike === true ? <s>{children}</s> : children
  const inner = style.code === true ? <code>{plain}</code> : plain
  return style.bold === true ? <strong>{inner}</strong> : inner
}
