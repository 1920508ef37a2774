import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import type { ViewState } from "../model/view-state.ts"

/** Distance in px from the end that still counts as being there. */
const AT_END = 40

/**
 * Keeps the end of the list visible as the content grows, and scrolls to `shown` once. A last
 * message longer than the screen is shown from its beginning until someone scrolls.
 * @returns `toEnd`, to be called when a message is sent: the answer appears at the end.
 */
export function useStickToEnd(content: unknown, shown: ViewState["shown"]) {
  const list = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const readIn = useRef<string | undefined>(undefined)
  const top = useRef(0)
  const stick = () => {
    const element = list.current
    if (!element || !atEnd.current) return
    const last = lastMessage(element)
    const isRead = last === undefined || last.dataset.ts === readIn.current
    const beginning = isRead ? Infinity : beginningOf(last, element)
    element.scrollTop = Math.min(beginning, element.scrollHeight)
    top.current = element.scrollTop
  }
  const toEnd = () => {
    atEnd.current = true
    stick()
  }
  // The height depends on the content.
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
    // The browser also scrolls when content above changes its height.
    let isByPerson = false
    const touch = () => {
      isByPerson = true
    }
    const remember = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      // Only people scroll up. Content that grew since the last scroll also moves the end out of
      // view, and a chart grows once it is laid out.
      if (left < AT_END) atEnd.current = true
      else if (isByPerson || element.scrollTop < top.current) atEnd.current = false
      if (isByPerson) readIn.current = lastMessage(element)?.dataset.ts
      isByPerson = false
      top.current = element.scrollTop
    }
    const ending = new AbortController()
    for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"] as const)
      element.addEventListener(kind, touch, { passive: true, signal: ending.signal })
    element.addEventListener("scroll", remember, { passive: true, signal: ending.signal })
    const sizes = new ResizeObserver(stick)
    sizes.observe(element)
    if (element.firstElementChild) sizes.observe(element.firstElementChild)
    return () => {
      sizes.disconnect()
      ending.abort()
    }
  }, [])
  return { list, toEnd }
}

function lastMessage(list: HTMLElement): HTMLElement | undefined {
  return [...list.querySelectorAll<HTMLElement>("[data-ts]")].at(-1)
}

function beginningOf(message: HTMLElement, list: HTMLElement): number {
  return list.scrollTop + message.getBoundingClientRect().top - list.getBoundingClientRect().top
}
