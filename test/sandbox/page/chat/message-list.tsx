import { Fragment, type RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import type { WireMessage } from "../../workspace/wire.ts"
import { usePage } from "../model/context.ts"
import { nowIn, timeOf } from "../model/model.ts"
import type { ThreadSummary } from "../model/selectors.ts"
import type { ViewState } from "../model/view-state.ts"
import { dayHeading } from "../mrkdwn/dates.ts"
import { MessageView } from "./message.tsx"

interface MessageListProps {
  /** What keeps the end in sight. */
  readonly list: RefObject<HTMLDivElement | null>
  readonly label: string
  readonly messages: readonly WireMessage[]
  readonly threads: ReadonlyMap<string, ThreadSummary>
  /** The `ts` of the message above which "New" stands. */
  readonly firstNew: string | undefined
}

/** Closer than this, messages of one person run on; ms. */
const RUN_ON_MS = 5 * 60_000

export function MessageList({ list, label, messages, threads, firstNew }: MessageListProps) {
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
              {message.ts === firstNew ? <p class="new-mark">New</p> : null}
              <MessageView
                message={message}
                continues={!opensDay && message.ts !== firstNew && runsOn(before, message, threads)}
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

/**
 * Keeps the end in sight while it is in sight, however the content grows; `shown` comes into sight
 * once.
 * @returns `toEnd` for whoever says something: the answer comes at the end.
 */
export function useStickToEnd(content: unknown, shown: ViewState["shown"]) {
  const list = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const stick = () => {
    if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight
  }
  const toEnd = () => {
    atEnd.current = true
    stick()
  }
  // The content is what the height depends on.
  useLayoutEffect(stick, [content])
  useEffect(() => {
    const message = shown && list.current?.querySelector<HTMLElement>(`[data-ts="${shown.ts}"]`)
    if (!message) return
    atEnd.current = false
    message.scrollIntoView({ block: "center" })
    message.focus({ preventScroll: true })
  }, [shown])
  useEffect(() => {
    const element = list.current
    if (!element) return
    let top = element.scrollTop
    const remember = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      // Only a person scrolls up. What grew since the last scroll leaves the end as well, and a chart
      // grows once its place is known.
      if (left < 40) atEnd.current = true
      else if (element.scrollTop < top) atEnd.current = false
      top = element.scrollTop
    }
    const sizes = new ResizeObserver(stick)
    sizes.observe(element)
    if (element.firstElementChild) sizes.observe(element.firstElementChild)
    element.addEventListener("scroll", remember, { passive: true })
    return () => {
      sizes.disconnect()
      element.removeEventListener("scroll", remember)
    }
  }, [])
  return { list, toEnd }
}
