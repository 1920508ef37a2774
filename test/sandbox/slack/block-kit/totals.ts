import { type JsonObject, stringIn } from "../../kit/json.ts"
import { countChars } from "./fields.ts"
import type { Issue } from "./issue.ts"
import { walk } from "./walk.ts"

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
