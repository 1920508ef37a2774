import { useEffect, useRef } from "preact/hooks"
import { stringIn } from "../../kit/json.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { wordsIn } from "../blocks/text-object.tsx"
import { useValue } from "./use-value.ts"

/** Renders an input for several lines: the bot has no other. */
export function TextInput(props: ElementProps) {
  const { element, field } = props
  const { value, change } = useValue(props, stringIn(element, "initial_value") ?? "")
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (element.focus_on_load === true) input.current?.focus()
  }, [element.focus_on_load])
  return (
    <span class="element element-wide">
      <textarea
        ref={input}
        class="text-input"
        id={field?.id}
        placeholder={wordsIn(element.placeholder)}
        aria-invalid={field?.invalid}
        aria-describedby={field?.describedBy}
        aria-required={field?.required}
        value={value ?? ""}
        rows={5}
        dir="auto"
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </span>
  )
}
