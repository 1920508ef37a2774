import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/**
 * Moves the focus to the enclosing message or view when the pressed element disappears, as Cancel
 * does. Otherwise, the keyboard would start at the top of the page.
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
