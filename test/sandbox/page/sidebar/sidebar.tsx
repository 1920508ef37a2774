import type { WireChannel } from "../../workspace/to-wire.ts"
import { usePage } from "../model/model.ts"
import { botChannel, channelsOf, nameOf } from "../model/selectors.ts"
import { Avatar } from "../shell/avatar.tsx"
import { Icon } from "../shell/icon.tsx"
import { SandboxTools } from "./sandbox-tools.tsx"

export function Sidebar() {
  const { model, view } = usePage()
  const direct = botChannel(model, view.me)
  return (
    <nav class="sidebar" aria-label="Channels">
      <h2>Channels</h2>
      <ul>
        {channelsOf(model, view.me).map((channel) => (
          <li key={channel.id}>
            <ChannelLink channel={channel} />
          </li>
        ))}
      </ul>
      <h2>Apps</h2>
      <ul>
        <li>
          <BotLink direct={direct} />
        </li>
      </ul>
      <SandboxTools />
    </nav>
  )
}

function ChannelLink({ channel }: { channel: WireChannel }) {
  const { model, view, dispatch } = usePage()
  const current = view.place.kind === "channel" && view.place.id === channel.id
  return (
    <button
      type="button"
      class={channel.archived ? "place place-archived" : "place"}
      aria-current={current ? "page" : undefined}
      onClick={() => dispatch({ do: "go", place: { kind: "channel", id: channel.id } })}
    >
      <ChannelIcon channel={channel} />
      <span class="place-name">{nameOf(model, channel, view.me)}</span>
    </button>
  )
}

function BotLink({ direct }: { direct: WireChannel | undefined }) {
  const { model, view, dispatch } = usePage()
  const current =
    view.place.kind === "home" || (direct !== undefined && view.place.id === direct.id)
  return (
    <button
      type="button"
      class="place"
      aria-current={current ? "page" : undefined}
      onClick={() => dispatch({ do: "go", place: { kind: "home" } })}
    >
      <Avatar user={model.bot} small />
      <span class="place-name">{model.bot?.realName}</span>
    </button>
  )
}

export function ChannelIcon({ channel }: { channel: WireChannel }) {
  if (channel.archived) return <Sign icon="archive" word="archived channel" />
  if (channel.kind === "mpim") return <Sign icon="chat" word="group direct message" />
  if (channel.kind === "private") return <Sign icon="lock" word="private channel" />
  if (channel.shared) return <Sign icon="shared" word="channel shared with another workspace" />
  return <Sign icon="hash" word="channel" />
}

function Sign({
  icon,
  word,
}: {
  icon: "archive" | "chat" | "lock" | "shared" | "hash"
  word: string
}) {
  return (
    <span class="channel-icon">
      <Icon name={icon} />
      <span class="hidden">{word} </span>
    </span>
  )
}
