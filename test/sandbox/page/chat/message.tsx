import { useEffect, useRef } from "preact/hooks"
import type { WireFile, WireMessage } from "../../workspace/to-wire.ts"
import { Blocks } from "../blocks/blocks.tsx"
import { actingSurface, SurfaceContext } from "../blocks/surface.ts"
import { nowIn, timeOf, usePage } from "../model/model.ts"
import type { ThreadSummary } from "../model/selectors.ts"
import { ago, clockWithDay, formatDate } from "../mrkdwn/dates.ts"
import { Mrkdwn } from "../mrkdwn/text.tsx"
import { Avatar } from "../shell/avatar.tsx"
import { Icon } from "../shell/icon.tsx"
import { MessageActions } from "./message-actions.tsx"
import { SessionLine } from "./session-line.tsx"

interface MessageProps {
  readonly message: WireMessage
  readonly thread?: ThreadSummary | undefined
  readonly inThread?: boolean
}

export function MessageView({ message, thread, inThread = false }: MessageProps) {
  const { model, view } = usePage()
  const user = model.users.get(message.user)
  const at = timeOf(message.ts)
  const isPrivate = message.visibleTo !== undefined
  const own = useRef<HTMLElement>(null)
  useEffect(() => {
    if (view.shown?.ts !== message.ts) return
    own.current?.scrollIntoView({ block: "center" })
    own.current?.focus({ preventScroll: true })
  }, [view.shown])
  const classes = [
    "message",
    isPrivate ? "message-private" : "",
    view.thread === message.ts && !inThread ? "message-open" : "",
    view.shown?.ts === message.ts ? "message-shown" : "",
  ]
  const name = user?.realName ?? "Slackbot"
  return (
    <article ref={own} class={classes.filter(Boolean).join(" ")} aria-label={name} tabIndex={-1}>
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
  const surface = actingSurface(view.me, { channel: message.channel, ts: message.ts })
  return (
    <SurfaceContext.Provider value={surface}>
      <div class="content">
        {message.blocks.length > 0 ? (
          <Blocks blocks={message.blocks} />
        ) : (
          <Mrkdwn text={message.text} />
        )}
        {message.edited ? <span class="edited"> (edited)</span> : null}
        {message.files.map((file) => (
          <FileCard key={file.id} file={file} />
        ))}
      </div>
    </SurfaceContext.Provider>
  )
}

function FileCard({ file }: { file: WireFile }) {
  return (
    <a class="file-card" href={file.url} download={file.name}>
      <Icon name="download" />
      <span class="hidden">Download</span>
      <span class="file-name">
        <strong>{file.title}</strong>
        <small>{file.name}</small>
      </span>
    </a>
  )
}

function ThreadBar({ root, thread }: { root: string; thread: ThreadSummary }) {
  const { model, show } = usePage()
  const words = thread.count === 1 ? "1 reply" : `${thread.count} replies`
  return (
    <button
      type="button"
      class="thread-bar"
      onClick={() => show({ thread: root, shown: undefined })}
    >
      <span class="thread-people">
        {thread.people.slice(0, 4).map((id) => (
          <Avatar key={id} user={model.users.get(id)} small />
        ))}
      </span>
      <strong>{words}</strong>
      <span class="thread-latest">Last reply {ago(timeOf(thread.latest), nowIn(model))}</span>
    </button>
  )
}
