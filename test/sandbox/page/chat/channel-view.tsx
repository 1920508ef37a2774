import type { WireChannel } from "../../workspace/to-wire.ts"
import { usePage } from "../model/model.ts"
import { mayWrite, nameOf, rootsIn, threadsIn } from "../model/selectors.ts"
import { ChannelIcon } from "../sidebar/sidebar.tsx"
import { Composer } from "./composer.tsx"
import { useEndOf } from "./end-of-list.ts"
import { MessageView } from "./message.tsx"

export function ChannelView({ channel }: { channel: WireChannel }) {
  const { model, view } = usePage()
  const { me } = view
  const messages = rootsIn(model, channel.id, me)
  const threads = threadsIn(model, channel.id)
  const { list, toEnd, onScroll } = useEndOf(messages)
  const isDirect = channel.kind === "im" || channel.kind === "mpim"
  const name = `${isDirect ? "" : "#"}${nameOf(model, channel, me)}`
  return (
    <>
      {channel.kind === "im" ? null : <ChannelHeader channel={channel} />}
      <div
        ref={list}
        class="message-list"
        role="log"
        aria-label={`Messages in ${name}`}
        onScroll={onScroll}
      >
        <div>
          {messages.map((message) => (
            <MessageView key={message.ts} message={message} thread={threads.get(message.ts)} />
          ))}
        </div>
      </div>
      <Entry channel={channel} name={name} onSend={toEnd} />
    </>
  )
}

interface EntryProps {
  readonly channel: WireChannel
  readonly name: string
  readonly onSend: () => void
}

function Entry({ channel, name, onSend }: EntryProps) {
  const { view } = usePage()
  if (channel.archived) {
    return <p class="no-entry">This channel is archived. You can read it but can't post.</p>
  }
  if (!mayWrite(channel, view.me)) {
    return <p class="no-entry">You're not in {name}, so you can't post here.</p>
  }
  return <Composer channel={channel.id} placeholder={`Message ${name}`} onSend={onSend} />
}

function ChannelHeader({ channel }: { channel: WireChannel }) {
  const { model, view } = usePage()
  const hasBot = channel.members.includes(model.bot?.id ?? "")
  return (
    <header class="place-header">
      <h2>
        <ChannelIcon channel={channel} />
        {nameOf(model, channel, view.me)}
      </h2>
      <p class={hasBot ? "bot-in" : "bot-out"}>
        {hasBot ? "Docs Agent is here" : "Docs Agent isn't here"}
      </p>
    </header>
  )
}
