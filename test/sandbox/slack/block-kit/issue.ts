import type { z } from "zod"
import { isObject, type Json, type JsonObject } from "../../kit/json.ts"

/** Error in a Block Kit payload: its JSON pointer from the payload's root, and a message. */
export interface Issue {
  readonly pointer: string
  readonly message: string
}

/** Formats an error as Slack does: the message, then the pointer in brackets. */
export function formatIssue(issue: Issue): string {
  return `${issue.message} [json-pointer:${issue.pointer}]`
}

/** Converts Zod's issues to ours; `root` is the pointer to the parsed value. */
export function issuesOf(error: z.ZodError, root: string): Issue[] {
  return error.issues.flatMap((issue) => {
    const pointer = pointerOf(root, issue.path)
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ pointer, message: `invalid additional property: ${key}` }))
    }
    return [{ pointer, message: issue.message }]
  })
}

/** Returns messages for Zod's codes, similar to Slack's. Passed to every parse. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && issue.code === "invalid_type") return "missing required field"
  switch (issue.code) {
    case "invalid_type":
      return `must provide ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`
    case "invalid_value":
      return `must be one of: ${issue.values.map(String).join(", ")}`
    case "invalid_union":
      return issue.note === undefined ? "failed to match all allowed schemas" : "unsupported type"
    case "too_big":
      return issue.origin === "array"
        ? `no more than ${issue.maximum} items allowed`
        : `must be no more than ${issue.maximum}`
    case "too_small":
      return issue.origin === "array"
        ? `at least ${issue.minimum} items required`
        : `must be no less than ${issue.minimum}`
    default:
      return undefined
  }
}

function pointerOf(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"))].join(
    "/",
  )
}

/** Visits every object in a payload, the outermost first, with its JSON pointer. */
export function walk(
  value: Json,
  visit: (object: JsonObject, pointer: string) => void,
  pointer = "",
): void {
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, visit, `${pointer}/${index}`)
    })
    return
  }
  if (!isObject(value)) return
  visit(value, pointer)
  for (const [key, member] of Object.entries(value)) walk(member, visit, `${pointer}/${key}`)
}

/** Lists the actions of a message's buttons and menus, in their order. */
export function buttonsOf(message: { blocks: unknown }): string[] {
  const found = JSON.stringify(message.blocks).matchAll(/"action_id":"(\w+)"/g)
  return [...found].map((match) => match[1] ?? "")
}
