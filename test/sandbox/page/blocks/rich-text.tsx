import type { ComponentChildren } from "preact"
import { isObject, type Json, type JsonObject, objectsIn, stringIn } from "../../slack/json.ts"
import { SafeLink } from "../mrkdwn/safe-link.tsx"
import { ChannelMention, Emoji, UserMention } from "../mrkdwn/text.tsx"
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
    case "rich_text_preformatted":
      return (
        <pre>
          <code>
            <RichInlines elements={objectsIn(element.elements)} />
          </code>
        </pre>
      )
    case "rich_text_list":
      return <RichList list={element} />
    default:
      return <CannotRender what={stringIn(element, "type") ?? ""} />
  }
}

function RichList({ list }: { list: JsonObject }) {
  const items = objectsIn(list.elements).map((item, index) => (
    <li key={index} dir="auto">
      <RichInlines elements={objectsIn(item.elements)} />
    </li>
  ))
  const indent = typeof list.indent === "number" ? list.indent : 0
  const style = { marginInlineStart: `${indent * 1.5}rem` }
  if (list.style !== "ordered") return <ul style={style}>{items}</ul>
  const offset = typeof list.offset === "number" ? list.offset : 0
  return (
    <ol style={style} start={offset + 1}>
      {items}
    </ol>
  )
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
    case "emoji":
      return <Emoji name={stringIn(element, "name") ?? ""} />
    default:
      return <CannotRender what={stringIn(element, "type") ?? ""} />
  }
}

const STYLES = [
  ["code", "code"],
  ["bold", "strong"],
  ["italic", "em"],
  ["strike", "s"],
  ["underline", "u"],
] as const

function Styled({ style, children }: { style: Json | undefined; children: ComponentChildren }) {
  if (!isObject(style)) return <>{children}</>
  return STYLES.reduce<ComponentChildren>(
    (inner, [name, Mark]) => (style[name] === true ? <Mark>{inner}</Mark> : inner),
    children,
  )
}
