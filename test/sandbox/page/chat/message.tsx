import { useMemo } from "preact/hooks"
import type { WireMessage } from "../../workspace/to-wire.ts"
import { actingSurface } from "../blocks/acting-surface.ts"
import { Blocks } from "../blocks/blocks.tsx"
import { SurfaceContext } from "../blocks/surface.ts"
import { usePage } from "../model/context.ts"
import { nowIn, timeOf } from "../model/model.ts"
import type { ThreadSummary } from "../model/selectors.ts"
import { clockWithDay, formatDate } from "../mrkdwn/dates.ts"
import { MessageText } from "../mrkdwn/text.tsx"
import { Avatar } from "../shell/avatar.tsx"
import { Icon } from "../shell/icon.tsx"
import { FileCard } from "./file-card.tsx"
import { MessageActions } from "./message-actions.tsx"
import { SessionLine } from "./session-line.tsx"
import { ThreadBar } from "./thread-bar.tsx"

export interface MessageProps {
  readonly message: WireMessage
  readonly thread?: ThreadSummary | undefined
  readonly inThread?: boolean
}

export function MessageView({ message, thread, inThread = false }: MessageProps) {
  const { model, view } = usePage()
  const user = model.users.get(message.user)
  const at = timeOf(message.ts)
  const isPrivate = message.visibleTo !== undefined
  const classes = [
    "message",
    isPrivate ? "message-private" : "",
    view.thread === message.ts && !inThread ? "message-open" : "",
    view.shown?.ts === message.ts ? "message-shown" : "",
  ]
  const name = user?.realName ?? "Slackbot"
  return (
    <article
      class={classes.filter(Boolean).join(" ")}
      data-ts={message.ts}
      aria-label={name}
      tabIndex={-1}
    >
      <div class="message-side">
        <Avatar user={user} />
      </div>
      <div class="message-body">
        {isPrivate ? (
          <p class="private-mark">
            <Icon name="eye" /> Only visible to you
          </p>
        ) : null}
        <p class="message-head">
          <strong>{name}</strong>
          {message.isBot ? <span class="app-mark">App</span> : null}
          <time
            class="message-time"
            dateTime={new Date(at).toISOString()}
            title={formatDate(at / 1000, "{date_short} at {time}", at)}
          >
            {clockWithDay(at, nowIn(model))}
          </time>
        </p>
        <Content message={message} />
        {thread && !inThread ? <ThreadBar root={message.ts} thread={thread} /> : null}
        {inThread ? null : <SessionLine channel={message.channel} ts={message.ts} />}
      </div>
      <MessageActions message={message} inThread={inThread} />
    </article>
  )
}

function Content({ message }: { message: WireMessage }) {
  const { view } = usePage()
  const surface = useMemo(
    () => actingSurface(view.me, { channel: message.channel, ts: message.ts }),
    [view.me, message.channel, message.ts],
  )
  return (
    <SurfaceContext.Provider value={surface}>
      <div class={message.isDeleted ? "content content-deleted" : "content"}>
        {message.blocks.length > 0 ? (
          <Blocks blocks={message.blocks} />
        ) : (
          <MessageText text={message.text} />
        )}
        {message.edited ? <span class="edited"> (edited)</span> : null}
        {message.files.map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
      </div>
    </SurfaceContext.Provider>
  )
}
