import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/**
 * Whoever pressed what is gone by that, such as Cancel, goes on at the message or view it was in:
 * without the focus the keyboard would begin at the top of the page.
 */
export function useKeptFocus(): RefObject<HTMLSpanElement | null> {
  const own = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const element = own.current
    return () => {
      if (!element?.contains(document.activeElement)) return
      element.closest<HTMLElement>("article, .home, dialog")?.focus({ preventScroll: true })
    }
  }, [])
  return own
}
