import { useLayoutEffect, useRef, useState } from "preact/hooks"

/** How wide an element is, in CSS pixels; drawings take their measures from it. */
export function useWidth<E extends Element>(first: number) {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(first)
  useLayoutEffect(() => {
    if (!element.current) return
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.round(entry.contentRect.width))
    })
    sizes.observe(element.current)
    return () => sizes.disconnect()
  }, [])
  return { element, width: Math.max(width, 120) }
}
