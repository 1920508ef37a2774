import type { RefObject } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import { type ElementProps, useSurface } from "../blocks/surface.ts"
import type { Question } from "../modal/confirm.tsx"
import { wordsOf } from "../model/api.ts"

export function useElement({ element, block }: Pick<ElementProps, "element" | "block">) {
  const surface = useSurface()
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | undefined>()
  const [question, setQuestion] = useState<Question | undefined>()
  const place = { block, action: stringIn(element, "action_id") ?? "" }

  async function confirm(words: JsonObject): Promise<boolean> {
    const yes = await new Promise<boolean>((answer) => setQuestion({ words, answer }))
    setQuestion(undefined)
    return yes
  }

  async function tell(how: () => Promise<void>): Promise<boolean> {
    if (isObject(element.confirm) && !(await confirm(element.confirm))) return false
    setBusy(true)
    setTrouble(undefined)
    try {
      await how()
      return true
    } catch (error) {
      setTrouble(wordsOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }

  return {
    busy,
    trouble,
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
  const doing = useElement(props)
  const key = JSON.stringify(initial)
  const [chosen, setChosen] = useState<{ for: string | undefined; value: string } | undefined>()
  const local = chosen !== undefined && chosen.for === key ? chosen.value : initial
  if (props.field) {
    const value = surface.filled(props.block) ?? initial
    const change = (next: string) => surface.fill(props.block, next)
    return { ...doing, value, change }
  }
  const change = async (next: string) => {
    setChosen({ for: key, value: next })
    if (!(await doing.choose(next))) setChosen(undefined)
  }
  return { ...doing, value: local, change: (next: string) => void change(next) }
}

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
