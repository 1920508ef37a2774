import { useLayoutEffect, useRef, useState } from "preact/hooks"

/** Returns an element's width in CSS pixels, which drawings are sized by. */
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
