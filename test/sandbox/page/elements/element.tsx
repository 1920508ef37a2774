import type { FunctionComponent } from "preact"
import { typeOf } from "../../kit/json.ts"
import { CannotRender } from "../blocks/cannot-render.tsx"
import type { ElementProps } from "../blocks/surface.ts"
import { Button } from "./button.tsx"
import { Select } from "./select.tsx"
import { TextInput } from "./text-input.tsx"

/** Renderers of the elements that the bot uses. */
const RENDERERS: Readonly<Record<string, FunctionComponent<ElementProps>>> = {
  button: Button,
  conversations_select: Select,
  plain_text_input: TextInput,
  static_select: Select,
}

export function ElementView(props: ElementProps) {
  const type = typeOf(props.element)
  const Renderer = Object.hasOwn(RENDERERS, type) ? RENDERERS[type] : undefined
  return Renderer ? <Renderer {...props} /> : <CannotRender what={type} />
}
