import { useState } from "preact/hooks"
import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import { type ElementProps, useSurface } from "../blocks/surface.ts"
import type { Question } from "../modal/confirm.tsx"
import { useBusyAttempt } from "../model/model.ts"

export function useElement({ element, block }: Pick<ElementProps, "element" | "block">) {
  const surface = useSurface()
  const { busy, attempt } = useBusyAttempt()
  const [question, setQuestion] = useState<Question | undefined>()
  const place = { block, action: stringIn(element, "action_id") ?? "" }

  async function confirm(words: JsonObject): Promise<boolean> {
    const yes = await new Promise<boolean>((answer) => setQuestion({ words, answer }))
    setQuestion(undefined)
    return yes
  }

  async function tell(how: () => Promise<void>): Promise<boolean> {
    if (isObject(element.confirm) && !(await confirm(element.confirm))) return false
    return await attempt(how())
  }

  return {
    busy,
    /** Question that the element asks before it does something. */
    question,
    press: () => void tell(() => surface.press(place)),
    /** Chooses in an element outside an input block; returns false if cancelled or failed. */
    choose: (option: string) => tell(() => surface.choose(place, option)),
  }
}

/**
 * Returns an element's value: in an input block the form's value, elsewhere the latest choice until
 * the bot sends another one.
 */
export function useValue(props: ElementProps, initial: string | undefined) {
  const surface = useSurface()
  const { choose, ...doing } = useElement(props)
  const [chosen, setChosen] = useState<{ for: string | undefined; value: string } | undefined>()
  if (props.field) {
    const value = surface.filled(props.block) ?? initial
    const change = (next: string) => surface.fill(props.block, next)
    return { ...doing, value, change }
  }
  const change = async (next: string) => {
    setChosen({ for: initial, value: next })
    if (!(await choose(next))) setChosen(undefined)
  }
  const value = chosen !== undefined && chosen.for === initial ? chosen.value : initial
  return { ...doing, value, change: (next: string) => void change(next) }
}
