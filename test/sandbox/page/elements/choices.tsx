import { useId } from "preact/hooks"
import { optionsOf } from "../../slack/interaction/options.ts"
import { isObject, type JsonObject, objectsIn, stringIn } from "../../slack/json.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { TextObject } from "../blocks/text-object.tsx"
import { Trouble } from "./trouble.tsx"
import { useValue } from "./use-element.ts"

export function Checkboxes(props: ElementProps) {
  const initial = objectsIn(props.element.initial_options).map(optionValue)
  const { value, change, trouble } = useValue(props, initial)
  const chosen = Array.isArray(value) ? value : []
  const toggle = (option: string) =>
    change(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
  return <Group {...props} type="checkbox" chosen={chosen} onPick={toggle} trouble={trouble} />
}

export function RadioButtons(props: ElementProps) {
  const { initial_option: option } = props.element
  const initial = isObject(option) ? optionValue(option) : undefined
  const { value, change, trouble } = useValue(props, initial)
  const chosen = typeof value === "string" ? [value] : []
  return <Group {...props} type="radio" chosen={chosen} onPick={change} trouble={trouble} />
}

interface GroupProps extends ElementProps {
  readonly type: "checkbox" | "radio"
  readonly chosen: readonly string[]
  readonly onPick: (value: string) => void
  readonly trouble: string | undefined
}

function Group({ element, field, type, chosen, onPick, trouble }: GroupProps) {
  const name = useId()
  return (
    <fieldset
      class="choices"
      aria-labelledby={field ? `${field.id}-label` : undefined}
      aria-describedby={field?.describedBy}
    >
      {optionsOf(element).map((option) => {
        const value = optionValue(option)
        const id = `${name}-${value}`
        return (
          <div key={value} class="choice">
            <input
              type={type}
              id={id}
              name={name}
              checked={chosen.includes(value)}
              onChange={() => onPick(value)}
            />
            <label for={id}>
              <TextObject value={option.text} />
              {option.description ? (
                <span class="hint">
                  <TextObject value={option.description} />
                </span>
              ) : null}
            </label>
          </div>
        )
      })}
      <Trouble text={trouble} />
    </fieldset>
  )
}

function optionValue(option: JsonObject): string {
  return stringIn(option, "value") ?? ""
}
