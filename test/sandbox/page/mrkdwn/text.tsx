import { nowIn, usePage } from "../model/model.ts"
import { CLOSED } from "../model/view-state.ts"
import { formatDate } from "./dates.ts"
import { emojiCharacter } from "./emoji.ts"
import type { Inline } from "./nodes.ts"
import { parseMrkdwn } from "./parse.ts"
import { SafeLink } from "./safe-link.tsx"

export function Mrkdwn({ text }: { text: string }) {
  return parseMrkdwn(text).map((chunk, index) => {
    const content = <Inlines nodes={chunk.children} />
    if (chunk.kind === "quote") return <blockquote key={index}>{content}</blockquote>
    if (chunk.kind === "pre") {
      return (
        <pre key={index}>
          <code>{content}</code>
        </pre>
      )
    }
    return (
      <p key={index} dir="auto">
        {content}
      </p>
    )
  })
}

function Inlines({ nodes }: { nodes: readonly Inline[] }) {
  return nodes.map((node, index) => <InlineNode key={index} node={node} />)
}

const MARKS = { bold: "strong", italic: "em", strike: "s", code: "code" } as const

function InlineNode({ node }: { node: Inline }) {
  switch (node.kind) {
    case "text":
      return node.text
    case "break":
      return <br />
    case "emoji":
      return <Emoji name={node.name} />
    case "link":
      return (
        <SafeLink url={node.url}>
          <Inlines nodes={node.children} />
        </SafeLink>
      )
    case "mistaken":
      return (
        <span class="mistaken" title="Slack reads <…> as a link: write &lt; as &amp;lt;">
          {node.text}
        </span>
      )
    case "user":
      return <UserMention id={node.id} />
    case "channel":
      return <ChannelMention id={node.id} label={node.label} />
    case "broadcast":
      return <Broadcast label={node.label} />
    case "date":
      return <SlackDate {...node} />
    default: {
      const Mark = MARKS[node.kind]
      return (
        <Mark>
          <Inlines nodes={node.children} />
        </Mark>
      )
    }
  }
}

function Emoji({ name }: { name: string }) {
  const character = emojiCharacter(name)
  if (character === undefined) return `:${name}:`
  return (
    <span class="emoji" role="img" aria-label={name.replaceAll("_", " ")} title={`:${name}:`}>
      {character}
    </span>
  )
}

export function UserMention({ id }: { id: string }) {
  const { model, view } = usePage()
  const name = model.users.get(id)?.realName ?? id
  return <span class={id === view.me ? "mention mention-me" : "mention"}>@{name}</span>
}

export function ChannelMention({ id, label }: { id: string; label: string | undefined }) {
  const { model, view, show } = usePage()
  const channel = model.channels.get(id)
  const name = `#${channel?.name || label || id}`
  if (!channel?.members.includes(view.me)) return <span class="mention">{name}</span>
  const go = () => show({ ...CLOSED, place: { kind: "channel", id } })
  return (
    <button type="button" class="mention" onClick={go}>
      {name}
    </button>
  )
}

/** Highlights a mention that would notify many people. */
export function Broadcast({ label }: { label: string }) {
  return (
    <strong class="mention mention-all" title="This would notify everyone here">
      {label}
    </strong>
  )
}

function SlackDate({ at, format, fallback }: Extract<Inline, { kind: "date" }>) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={fallback}>
      {formatDate(at, format, nowIn(usePage().model))}
    </time>
  )
}
