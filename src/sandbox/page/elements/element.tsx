import type { FunctionComponent } from "preact"
import { typeOf } from "../../slack/json.ts"
import { CannotRender } from "../blocks/cannot-render.tsx"
import { Picture } from "../blocks/picture.tsx"
import type { ElementProps } from "../blocks/surface.ts"
import { Button } from "./button.tsx"
import { Checkboxes, RadioButtons } from "./choices.tsx"
import { Overflow } from "./overflow.tsx"
import { DatePicker, TimePicker } from "./pickers.tsx"
import { Select } from "./select.tsx"
import { TextInput } from "./text-input.tsx"

/** Every element this page knows. */
const RENDERERS: Readonly<Record<string, FunctionComponent<ElementProps>>> = {
  button: Button,
  static_select: Select,
  users_select: Select,
  conversations_select: Select,
  channels_select: Select,
  overflow: Overflow,
  checkboxes: Checkboxes,
  radio_buttons: RadioButtons,
  datepicker: DatePicker,
  timepicker: TimePicker,
  plain_text_input: TextInput,
  email_text_input: TextInput,
  url_text_input: TextInput,
  number_input: TextInput,
  image: ({ element }) => <Picture image={element} />,
}

export function ElementView(props: ElementProps) {
  const type = typeOf(props.element)
  const Renderer = Object.hasOwn(RENDERERS, type) ? RENDERERS[type] : undefined
  return Renderer ? <Renderer {...props} /> : <CannotRender what={type} />
}
