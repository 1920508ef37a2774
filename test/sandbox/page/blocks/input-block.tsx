import { useId } from "preact/hooks"
import { isObject, type JsonObject, stringIn } from "../../kit/json.ts"
import { ElementView } from "../elements/element.tsx"
import type { BlockProps } from "./blocks.tsx"
import { useSurface } from "./surface.ts"
import { TextObject } from "./text-object.tsx"

export function InputBlock({ block }: BlockProps) {
  const surface = useSurface()
  const id = useId()
  const blockId = stringIn(block, "block_id") ?? ""
  const error = surface.error(blockId)
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const described = [block.hint ? hintId : "", error ? errorId : ""].filter(Boolean).join(" ")
  const field = {
    id,
    describedBy: described || undefined,
    invalid: error !== undefined,
    required: block.optional !== true,
  }
  const element: JsonObject = isObject(block.element) ? block.element : {}
  return (
    <div class="block-input">
      <label class="label" for={id}>
        <TextObject value={block.label} />
        {block.optional === true ? <span class="optional"> (optional)</span> : null}
      </label>
      <ElementView element={element} block={blockId} field={field} />
      {block.hint ? (
        <p class="hint" id={hintId}>
          <TextObject value={block.hint} />
        </p>
      ) : null}
      <p class="field-error" id={errorId} role="alert">
        {error}
      </p>
    </div>
  )
}
