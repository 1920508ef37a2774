import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { wordsIn } from "../blocks/text-object.tsx"
import { type Model, usePage } from "../model/model.ts"
import { nameOf } from "../model/selectors.ts"
import { useValue } from "./use-value.ts"

interface Choice {
  readonly value: string
  readonly words: string
}

export function Select(props: ElementProps) {
  const { element, field } = props
  const { model, view } = usePage()
  const { value, change, busy } = useValue(props, initialOf(element))
  const placeholder = wordsIn(element.placeholder) || "Choose"
  const choices = choicesOf(element, model, view.me)
  // An edited message can offer other options than the one chosen before.
  const chosen = choices.some((choice) => choice.value === value) ? value : ""
  return (
    <span class="element">
      <select
        class="select"
        id={field?.id}
        aria-label={field ? undefined : placeholder}
        aria-busy={busy}
        aria-invalid={field?.invalid}
        aria-describedby={field?.describedBy}
        aria-required={field?.required}
        value={chosen}
        onChange={(event) => change(event.currentTarget.value)}
      >
        <option value="" disabled={field?.required !== false} hidden={field?.required !== false}>
          {placeholder}
        </option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.words}
          </option>
        ))}
      </select>
    </span>
  )
}

function choicesOf(element: JsonObject, model: Model, me: string): Choice[] {
  if (element.type === "conversations_select") {
    const filter = isObject(element.filter) ? element.filter : {}
    const include = Array.isArray(filter.include) ? filter.include.map(String) : undefined
    const kinds = new Set(include ?? ["public", "private", "im"])
    return channels(model, me, kinds)
  }
  return objectsIn(element.options).map(toChoice)
}

function toChoice(option: JsonObject): Choice {
  return { value: stringIn(option, "value") ?? "", words: wordsIn(option.text) }
}

function channels(model: Model, me: string, kinds: ReadonlySet<string>): Choice[] {
  return [...model.channels.values()]
    .filter(
      (channel) => kinds.has(channel.kind) && channel.members.includes(me) && !channel.archived,
    )
    .map((channel) => ({
      value: channel.id,
      words: `${channel.kind === "public" || channel.kind === "private" ? "#" : ""}${nameOf(model, channel, me)}`,
    }))
}

function initialOf(element: JsonObject): string | undefined {
  if (isObject(element.initial_option)) return stringIn(element.initial_option, "value")
  return stringIn(element, "initial_conversation")
}
