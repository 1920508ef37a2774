import { useState } from "preact/hooks"
import { stringIn } from "../../kit/json.ts"
import { type ElementProps, useSurface } from "../blocks/surface.ts"
import { useBusyAttempt } from "../model/model.ts"

/**
 * Returns an element's value: in an input block the form's value, elsewhere the latest choice until
 * the bot sends another one.
 */
export function useValue({ element, block, field }: ElementProps, initial: string | undefined) {
  const surface = useSurface()
  const { busy, attempt } = useBusyAttempt()
  const [chosen, setChosen] = useState<{ for: string | undefined; value: string } | undefined>()
  if (field) {
    const value = surface.filled(block) ?? initial
    return { busy, value, change: (next: string) => surface.fill(block, next) }
  }
  const place = { block, action: stringIn(element, "action_id") ?? "" }
  const change = async (next: string) => {
    setChosen({ for: initial, value: next })
    if (!(await attempt(surface.choose(place, next)))) setChosen(undefined)
  }
  const value = chosen !== undefined && chosen.for === initial ? chosen.value : initial
  return { busy, value, change: (next: string) => void change(next) }
}
