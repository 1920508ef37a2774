import type { WireChannel } from "../../workspace/to-wire.ts"
import { usePage } from "../model/model.ts"
import { mayWrite, threadIn } from "../model/selectors.ts"
import { Composer } from "./composer.tsx"
import { useEndOf } from "./end-of-list.ts"
import { MessageView } from "./message.tsx"
import { SessionLine, SessionTitle } from "./session-line.tsx"

/** Renders a thread beside its channel; its key is the thread and the person. */
export function ThreadPane({ channel, root }: { channel: WireChannel; root: string }) {
  const { model, view } = usePage()
  const { me } = view
  const messages = threadIn(model, channel.id, root, me)
  const { list, toEnd, onScroll } = useEndOf(messages)
  const [first, ...replies] = messages
  return (
    <>
      <SessionTitle channel={channel.id} ts={root} />
      <div ref={list} class="message-list" role="log" aria-label="Thread" onScroll={onScroll}>
        <div>
          {first ? <MessageView message={first} inThread /> : null}
          <p class="reply-mark">{replies.length === 1 ? "1 reply" : `${replies.length} replies`}</p>
          {replies.map((reply) => (
            <MessageView key={reply.ts} message={reply} inThread />
          ))}
          <SessionLine channel={channel.id} ts={root} />
        </div>
      </div>
      {mayWrite(channel, me) ? (
        <Composer channel={channel.id} thread={root} placeholder="Reply…" onSend={toEnd} />
      ) : null}
    </>
  )
}
