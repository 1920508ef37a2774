import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import type { ViewState } from "../model/view-state.ts"

/** Closer to the end than this counts as being there, px. */
const AT_END = 40

/**
 * Keeps the end in sight while it is in sight, however the content grows; `shown` comes into sight
 * once. A last message that is longer than the screen begins at its beginning, until somebody scrolls.
 * @returns `toEnd` for whoever says something: the answer comes at the end.
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
    // The browser scrolls as well, where what stands above changes its height.
    let isByPerson = false
    const touch = () => {
      isByPerson = true
    }
    const remember = () => {
      const left = element.scrollHeight - element.scrollTop - element.clientHeight
      // Only a person scrolls up. What grew since the last scroll leaves the end as well, and a chart
      // grows once its place is known.
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
