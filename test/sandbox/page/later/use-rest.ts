import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Rest } from "./later.tsx"
import type { Parts } from "./parts.ts"

/**
 * Fetches the parts that come later, once the first view is on the screen. `isHeld`: the first view
 * itself has a hole where one belongs, and is not shown before that is filled.
 */
export function useRest(
  load: () => Promise<Parts>,
  onTrouble: () => void,
): { rest: Rest; isHeld: boolean } {
  const [parts, setParts] = useState<Parts | undefined>()
  const [isHeld, setHeld] = useState(false)
  const missed = useRef(false)
  const miss = useCallback(() => {
    missed.current = true
  }, [])
  // Everything was rendered once by now, and nothing painted.
  useLayoutEffect(() => {
    if (missed.current) setHeld(true)
  }, [])
  useEffect(() => {
    load()
      .then(setParts, onTrouble)
      .finally(() => setHeld(false))
  }, [])
  const rest = useMemo(() => ({ parts, miss }), [parts])
  return { rest, isHeld }
}
