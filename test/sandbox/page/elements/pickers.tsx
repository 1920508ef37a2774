import { stringIn } from "../../slack/json.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { wordsIn } from "../blocks/text-object.tsx"
import { Trouble } from "./trouble.tsx"
import { useValue } from "./use-element.ts"

export function DatePicker(props: ElementProps) {
  return <Picker {...props} type="date" initial={stringIn(props.element, "initial_date")} />
}

export function TimePicker(props: ElementProps) {
  return <Picker {...props} type="time" initial={stringIn(props.element, "initial_time")} />
}

function Picker(props: ElementProps & { type: "date" | "time"; initial: string | undefined }) {
  const { element, field, type } = props
  const { value, change, trouble } = useValue(props, props.initial)
  return (
    <span class="element">
      <input
        class="text-input picker"
        type={type}
        id={field?.id}
        aria-label={field ? undefined : wordsIn(element.placeholder) || `Choose a ${type}`}
        aria-invalid={field?.invalid}
        aria-describedby={field?.describedBy}
        value={typeof value === "string" ? value : ""}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Trouble text={trouble} />
    </span>
  )
}
