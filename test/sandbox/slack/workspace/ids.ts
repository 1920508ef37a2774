import { randomInt } from "node:crypto"
import { isObject, type Json, type JsonObject, typeOf } from "../../kit/json.ts"

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/**
 * Returns an id like Slack's: a prefix and capitals. Random, because a bot remembers event and
 * trigger ids across restarts of the local Slack and would drop a repeated one as a duplicate.
 */
export function newId(prefix: string, length = 10): string {
  let id = prefix
  for (let n = 0; n < length; n += 1) id += ALPHABET[randomInt(ALPHABET.length)]
  return id
}

/** Creates timestamps: seconds with six decimals, strictly increasing even if the clock isn't. */
export function createTimestamps(now: () => number): () => string {
  let last = 0
  return () => {
    last = Math.max(now() * 1000, last + 100)
    return formatMicros(last)
  }
}

export function formatMicros(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  return `${seconds}.${String(micros % 1_000_000).padStart(6, "0")}`
}

const interactive = new Set(["button", "plain_text_input"])

export function isInteractive(element: JsonObject): boolean {
  const type = typeOf(element)
  return interactive.has(type) || type.endsWith("_select")
}

/** Adds ids to blocks and interactive elements that have none, as Slack does. */
export function withIds(blocks: readonly JsonObject[]): JsonObject[] {
  return blocks.map((block) => {
    return { ...withActionIds(block), block_id: block.block_id || newId("", 5) }
  })
}

function withActionIds(value: JsonObject): JsonObject {
  const filled: JsonObject = {}
  for (const [key, member] of Object.entries(value)) filled[key] = fill(member)
  if (isInteractive(value)) filled.action_id = value.action_id || newId("", 5)
  return filled
}

function fill(value: Json): Json {
  if (Array.isArray(value)) return value.map(fill)
  return isObject(value) ? withActionIds(value) : value
}
