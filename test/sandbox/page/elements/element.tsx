import type { FunctionComponent } from "preact"
import { typeOf } from "../../slack/json.ts"
import { CannotRender } from "../blocks/cannot-render.tsx"
import { Picture } from "../blocks/picture.tsx"
import type { ElementProps } from "../blocks/surface.ts"
import { later } from "../later/later.tsx"
import { Button } from "./button.tsx"

const Select = later((parts) => parts.Select)
const TextInput = later((parts) => parts.TextInput)

/** Every element this page knows: buttons at once, the rest later. */
const RENDERERS: Readonly<Record<string, FunctionComponent<ElementProps>>> = {
  button: Button,
  static_select: Select,
  users_select: Select,
  conversations_select: Select,
  channels_select: Select,
  overflow: later((parts) => parts.Overflow),
  checkboxes: later((parts) => parts.Checkboxes),
  radio_buttons: later((parts) => parts.RadioButtons),
  datepicker: later((parts) => parts.DatePicker),
  timepicker: later((parts) => parts.TimePicker),
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
