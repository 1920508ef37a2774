import { useLayoutEffect, useRef } from "preact/hooks"
import type { WireMessage } from "../../workspace/to-wire.ts"

/** Distance in px from the end that still counts as being there. */
const AT_END = 40

/**
 * Shows a last message that is longer than its list from its beginning, unless someone scrolled
 * away or is using it. The list's style, a reversed column, keeps its end visible as it grows.
 * @returns `toEnd`, to be called when a message is sent: the answer appears at the end; and
 * `onScroll`, of the list
 */
export function useEndOf(messages: readonly WireMessage[]) {
  const list = useRef<HTMLDivElement>(null)
  // Before a message came: the browser may scroll a list while that grows.
  const isAtEnd = useRef(true)
  const last = messages.at(-1)
  useLayoutEffect(() => {
    const message = list.current?.querySelector("article:last-of-type")
    if (!message || !isAtEnd.current || message.contains(document.activeElement)) return
    message.scrollIntoView()
  }, [last?.ts, last?.revision])
  const toEnd = () => {
    list.current?.scrollTo({ top: 0 })
    isAtEnd.current = true
  }
  // A reversed list counts from its end, upwards below zero.
  const onScroll = () => {
    isAtEnd.current = (list.current?.scrollTop ?? 0) >= -AT_END
  }
  return { list, toEnd, onScroll }
}
