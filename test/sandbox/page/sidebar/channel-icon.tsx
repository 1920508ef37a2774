import type { WireChannel } from "../../workspace/to-wire.ts"
import { Icon } from "../shell/icon.tsx"

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
