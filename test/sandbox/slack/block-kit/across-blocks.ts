import { isObject, type JsonObject, objectsIn, stringIn } from "../../kit/json.ts"
import { countChars } from "./fields.ts"
import { type Issue, walk } from "./issue.ts"

/** Returns duplicates: `block_id` must be unique in the payload, `action_id` in its block. */
export function duplicateIds(blocks: readonly JsonObject[], root: string): Issue[] {
  const blockIds = new Set<string>()
  return blocks.flatMap((block, index) => {
    const actionIds = new Set<string>()
    const issues: Issue[] = []
    walk(
      block,
      (object, at) => {
        issues.push(...repeated(object, "block_id", blockIds, at))
        issues.push(...repeated(object, "action_id", actionIds, at))
      },
      `${root}/${index}`,
    )
    return issues
  })
}

function repeated(object: JsonObject, key: string, seen: Set<string>, pointer: string): Issue[] {
  const id = stringIn(object, key)
  if (id === undefined || id === "") return []
  if (seen.has(id)) {
    return [{ pointer: `${pointer}/${key}`, message: `\`${key}\` must be unique: "${id}"` }]
  }
  seen.add(id)
  return []
}

/** Returns initial options that aren't among the options, and a second `focus_on_load`. */
export function inconsistentElements(blocks: readonly JsonObject[], root: string): Issue[] {
  const issues: Issue[] = []
  let focused = 0
  walk(
    [...blocks],
    (object, pointer) => {
      issues.push(...strayInitialOptions(object, pointer))
      if (object.focus_on_load !== true) return
      focused += 1
      if (focused === 2) {
        issues.push({ pointer, message: "only one element may have focus_on_load set to true" })
      }
    },
    root,
  )
  return issues
}

function strayInitialOptions(element: JsonObject, pointer: string): Issue[] {
  const { initial_option: initial } = element
  const options = objectsIn(element.options)
  if (!isObject(initial) || options.length === 0) return []
  if (options.some(({ value }) => value === initial.value)) return []
  return [{ pointer, message: "initial option must be one of the options" }]
}

/** Undocumented maximum of characters in all blocks, else Slack returns `msg_blocks_too_long`. */
export const MESSAGE_CHARS = 13_200

/** Blocks with their own totals, which don't count toward the message's. */
const summedApart = new Set(["table", "data_table", "data_visualization"])

/** Returns violations of limits that apply to all blocks of a message together. */
export function totalsOf(blocks: readonly JsonObject[], root: string): Issue[] {
  const issues: Issue[] = []
  const sum = (type: string, max: number) => {
    const total = charsOf(blocks.filter((block) => block.type === type))
    if (total <= max) return
    issues.push({
      pointer: root,
      message: `${type} blocks must be less than ${max + 1} characters`,
    })
  }
  const count = (type: string, max: number) => {
    if (blocks.filter((block) => block.type === type).length <= max) return
    issues.push({ pointer: root, message: `no more than ${max} ${type} blocks allowed` })
  }
  sum("table", 10_000)
  sum("data_table", 20_000)
  count("table", 1)
  count("data_visualization", 2)
  return issues
}

/** Returns the number of characters that count toward `MESSAGE_CHARS`. */
export function messageChars(blocks: readonly JsonObject[]): number {
  return charsOf(blocks.filter((block) => !summedApart.has(stringIn(block, "type") ?? "")))
}

function charsOf(blocks: readonly JsonObject[]): number {
  let total = 0
  walk([...blocks], (object) => {
    const text = stringIn(object, "text")
    if (text !== undefined) total += countChars(text)
  })
  return total
}
