import { isObject, type Json } from "../../slack/json.ts"

/** Deeper than this a branch starts folded. */
const OPEN = 4

/** JSON to look into: branches fold, leaves are shown as they are. */
export function JsonTree({ value }: { value: Json }) {
  return (
    <div class="json">
      <Node value={value} name={undefined} depth={0} />
    </div>
  )
}

interface NodeProps {
  readonly value: Json
  readonly name: string | undefined
  readonly depth: number
}

function Node({ value, name, depth }: NodeProps) {
  const label = name === undefined ? null : <span class="json-name">{name}: </span>
  if (!isObject(value) && !Array.isArray(value)) {
    return (
      <div class="json-leaf">
        {label}
        <span class={`json-${value === null ? "null" : typeof value}`}>
          {JSON.stringify(value)}
        </span>
      </div>
    )
  }
  const entries: [string, Json][] = Object.entries(value)
  const [open, close] = Array.isArray(value) ? "[]" : "{}"
  if (entries.length === 0) {
    return (
      <div class="json-leaf">
        {label}
        {open}
        {close}
      </div>
    )
  }
  return (
    <details open={depth < OPEN}>
      <summary>
        {label}
        <span class="json-size">
          {open}
          {entries.length}
          {close}
        </span>
      </summary>
      <div class="json-branch">
        {entries.map(([key, child]) => (
          <Node key={key} value={child} name={key} depth={depth + 1} />
        ))}
      </div>
    </details>
  )
}
