import type { ComponentChildren } from "preact"
import type { WireChannel } from "../../workspace/to-wire.ts"
import { usePage } from "../model/model.ts"
import { botChannel, channelsOf, nameOf } from "../model/selectors.ts"
import { CLOSED, type Place } from "../model/view-state.ts"
import { Avatar } from "../shell/avatar.tsx"
import { Icon, type IconName } from "../shell/icon.tsx"
import { SandboxTools } from "./sandbox-tools.tsx"

export function Sidebar() {
  const { model, view } = usePage()
  const direct = botChannel(model, view.me)
  return (
    // The top bar opens it above the conversation if there is no room beside that.
    <nav id="channels" class="sidebar" aria-label="Channels" popover="auto">
      <h2>Channels</h2>
      <ul>
        {channelsOf(model, view.me).map((channel) => (
          <PlaceLink
            key={channel.id}
            place={{ kind: "channel", id: channel.id }}
            current={view.place.kind === "channel" && view.place.id === channel.id}
            faint={channel.archived}
            name={nameOf(model, channel, view.me)}
            sign={<ChannelIcon channel={channel} />}
          />
        ))}
      </ul>
      <h2>Apps</h2>
      <ul>
        <PlaceLink
          place={{ kind: "home" }}
          current={view.place.kind === "home" || view.place.id === direct?.id}
          name={model.bot?.realName ?? ""}
          sign={<Avatar user={model.bot} small />}
        />
      </ul>
      <SandboxTools />
    </nav>
  )
}

interface PlaceLinkProps {
  readonly place: Place
  readonly current: boolean
  readonly faint?: boolean
  readonly name: string
  readonly sign: ComponentChildren
}

function PlaceLink({ place, current, faint = false, name, sign }: PlaceLinkProps) {
  const { show } = usePage()
  return (
    <li>
      <button
        type="button"
        class={faint ? "place place-archived" : "place"}
        aria-current={current ? "page" : undefined}
        onClick={({ currentTarget }) => {
          currentTarget.closest("nav")?.hidePopover()
          show({ ...CLOSED, place })
        }}
      >
        {sign}
        <span class="place-name">{name}</span>
      </button>
    </li>
  )
}

export function ChannelIcon({ channel }: { channel: WireChannel }) {
  if (channel.archived) return <Sign icon="archive" word="archived channel" />
  if (channel.kind === "mpim") return <Sign icon="chat" word="group direct message" />
  if (channel.kind === "private") return <Sign icon="lock" word="private channel" />
  if (channel.shared) return <Sign icon="shared" word="channel shared with another workspace" />
  return <Sign icon="hash" word="channel" />
}

function Sign({ icon, word }: { icon: IconName; word: string }) {
  return (
    <span class="channel-icon">
      <Icon name={icon} />
      <span class="hidden">{word} </span>
    </span>
  )
}
