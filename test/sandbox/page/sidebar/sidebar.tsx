import type { WireChannel } from "../../workspace/wire.ts"
import { usePage } from "../model/context.ts"
import { botChannel, channelsOf, unreadIn } from "../model/selectors.ts"
import { Avatar } from "../shell/avatar.tsx"
import { ChannelIcon } from "./channel-icon.tsx"
import { SandboxTools } from "./sandbox-tools.tsx"

/** The channels of the person one acts as, and the bot's own place. */
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
  const { model, view, marks, dispatch } = usePage()
  const current = view.place.kind === "channel" && view.place.id === channel.id
  const unread = unreadIn(model, channel.id, view.me, (thread) =>
    marks.until(view.me, channel.id, thread),
  )
  const isNew = unread.messages > 0 || unread.mentions > 0
  const classes = [
    "place",
    isNew && !current ? "place-new" : "",
    channel.archived ? "place-archived" : "",
  ]
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(" ")}
      aria-current={current ? "page" : undefined}
      onClick={() => dispatch({ do: "go", place: { kind: "channel", id: channel.id } })}
    >
      <ChannelIcon channel={channel} />
      <span class="place-name">{channel.name}</span>
      <Badge count={current ? 0 : unread.mentions} unread={isNew && !current} />
    </button>
  )
}

function BotLink({ direct }: { direct: WireChannel | undefined }) {
  const { model, view, marks, dispatch } = usePage()
  const current =
    view.place.kind === "home" || (direct !== undefined && view.place.id === direct.id)
  const unread = direct
    ? unreadIn(model, direct.id, view.me, (thread) => marks.until(view.me, direct.id, thread))
    : { messages: 0, mentions: 0 }
  const count = unread.messages + unread.mentions
  return (
    <button
      type="button"
      class={count > 0 && !current ? "place place-new" : "place"}
      aria-current={current ? "page" : undefined}
      onClick={() => dispatch({ do: "go", place: { kind: "home" } })}
    >
      <Avatar user={model.users.get(model.bot.user)} small />
      <span class="place-name">{model.users.get(model.bot.user)?.realName}</span>
      <Badge count={current ? 0 : count} unread={false} />
    </button>
  )
}

function Badge({ count, unread }: { count: number; unread: boolean }) {
  if (count > 0) {
    return (
      <span class="badge">
        {count}
        <span class="hidden"> new for you</span>
      </span>
    )
  }
  return unread ? <span class="hidden">, unread</span> : null
}
