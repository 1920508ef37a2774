import { useEffect, useMemo, useState } from "preact/hooks"
import type { WireChannel } from "../../workspace/wire.ts"
import { usePage } from "../model/context.ts"
import { firstUnread, mayWrite, threadIn } from "../model/selectors.ts"
import { Composer } from "./composer.tsx"
import { MessageView } from "./message.tsx"
import { SessionLine, SessionTitle } from "./session-line.tsx"
import { useStickToEnd } from "./stick-to-end.ts"

/** A thread beside its channel; made anew for each thread and person. */
export function ThreadPane({ channel, root }: { channel: WireChannel; root: string }) {
  const { model, view, marks } = usePage()
  const { me } = view
  const messages = useMemo(
    () => threadIn(model, channel.id, root, me),
    [model.messages, channel.id, root, me],
  )
  const { list, toEnd } = useStickToEnd(messages, view.shown)
  const latest = messages.at(-1)?.ts
  const [firstNew] = useState(() =>
    firstUnread(messages.slice(1), me, marks.until(me, channel.id, root)),
  )
  useEffect(() => {
    if (latest !== undefined) marks.mark(me, channel.id, latest, root)
  }, [me, channel.id, root, latest, marks.mark])
  const [first, ...replies] = messages
  return (
    <>
      <SessionTitle channel={channel.id} ts={root} />
      <div ref={list} class="message-list" role="log" aria-label="Thread">
        <div class="message-run">
          {first ? <MessageView message={first} continues={false} inThread /> : null}
          <p class="reply-mark">{replies.length === 1 ? "1 reply" : `${replies.length} replies`}</p>
          {replies.map((reply) => (
            <div key={reply.ts}>
              {reply.ts === firstNew ? <p class="new-mark">New</p> : null}
              <MessageView message={reply} continues={false} inThread />
            </div>
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
