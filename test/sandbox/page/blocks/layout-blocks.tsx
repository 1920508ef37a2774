import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { ElementView } from "../elements/element.tsx"
import type { BlockProps } from "./blocks.tsx"
import { TextObject } from "./text-object.tsx"

export function Section({ block }: BlockProps) {
  const fields = objectsIn(block.fields)
  const { accessory } = block
  return (
    <div class="block-section">
      <div class="block-section-text">
        {block.text ? <TextObject value={block.text} /> : null}
        {fields.length > 0 ? (
          <div class="fields">
            {fields.map((field, index) => (
              <div key={index}>
                <TextObject value={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {isObject(accessory) ? <ElementView element={accessory} block={blockId(block)} /> : null}
    </div>
  )
}

export function Header({ block }: BlockProps) {
  // Below the page's own headings above such blocks.
  return (
    <h3 class="block-header">
      <TextObject value={block.text} />
    </h3>
  )
}

export function Context({ block }: BlockProps) {
  return (
    <div class="block-context">
      {objectsIn(block.elements).map((element, index) => (
        <div key={index}>
          <TextObject value={element} />
        </div>
      ))}
    </div>
  )
}

export function Divider() {
  return <hr class="block-divider" />
}

export function Actions({ block }: BlockProps) {
  return (
    <div class="block-actions">
      {objectsIn(block.elements).map((element, index) => (
        <ElementView
          key={stringIn(element, "action_id") ?? index}
          element={element}
          block={blockId(block)}
        />
      ))}
    </div>
  )
}

function blockId(block: JsonObject): string {
  return stringIn(block, "block_id") ?? ""
}
