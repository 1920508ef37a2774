import { Fragment, type RefObject } from "preact"
import type { WireMessage } from "../../workspace/to-wire.ts"
import { usePage } from "../model/context.ts"
import { nowIn, timeOf } from "../model/model.ts"
import type { ThreadSummary } from "../model/selectors.ts"
import { dayHeading } from "../mrkdwn/dates.ts"
import { MessageView } from "./message.tsx"

interface MessageListProps {
  readonly list: RefObject<HTMLDivElement | null>
  readonly label: string
  readonly messages: readonly WireMessage[]
  readonly threads: ReadonlyMap<string, ThreadSummary>
}

/** Time in ms within which messages from one person are grouped under one name. */
const RUN_ON_MS = 5 * 60_000

export function MessageList({ list, label, messages, threads }: MessageListProps) {
  const now = nowIn(usePage().model)
  return (
    <div ref={list} class="message-list" role="log" aria-label={label}>
      <div class="message-run">
        {messages.map((message, index) => {
          const before = messages[index - 1]
          const day = dayHeading(timeOf(message.ts), now)
          const opensDay = !before || dayHeading(timeOf(before.ts), now) !== day
          return (
            <Fragment key={message.ts}>
              {opensDay ? <h3 class="day-mark">{day}</h3> : null}
              <MessageView
                message={message}
                continues={!opensDay && runsOn(before, message, threads)}
                thread={threads.get(message.ts)}
              />
            </Fragment>
          )
        })}
      </div>
    </div>
  )
}

function runsOn(
  before: WireMessage | undefined,
  message: WireMessage,
  threads: ReadonlyMap<string, ThreadSummary>,
): boolean {
  if (before === undefined || message.isBot || threads.has(before.ts)) return false
  const sameReader = before.visibleTo === message.visibleTo
  const soon = timeOf(message.ts) - timeOf(before.ts) < RUN_ON_MS
  return before.user === message.user && sameReader && soon
}
