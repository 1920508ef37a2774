import type { Issue } from "../block-kit/issue.ts"
import { validateMessageBlocks, validateView } from "../block-kit/validate.ts"
import type { Core } from "../core.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../json.ts"
import { ApiError } from "./api-error.ts"
import { invalidArguments } from "./arguments.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"

const SUBJECTS = ["blocks", "message", "view"] as const
type Subject = (typeof SUBJECTS)[number]

/**
 * "Provide exactly one of blocks, view, or message." "When validation fails, the response includes an
 * errors array", each with a pointer into what was given, a code and a message. No token, no scope.
 */
export const blocksValidate: Method = {
  token: "none",
  scopes: [],
  limit: tier4,
  run(core, args) {
    const given = SUBJECTS.filter((subject) => args[subject] !== undefined)
    const [subject] = given
    if (subject === undefined || given.length > 1) {
      throw invalidArguments(["must provide exactly one of blocks, view, or message"])
    }
    const value = args[subject]
    const payload = typeof value === "string" ? parseJson(value) : value
    const errors = issuesIn(core, subject, payload ?? null).map(errorOf)
    if (errors.length > 0) throw new ApiError(`invalid_${subject}`, { errors })
    return {}
  },
}

function issuesIn(core: Core, subject: Subject, payload: Json): Issue[] {
  const refused = core.settings.refusals.at(["channel"])
  if (subject === "view") return validateView(payload, refused).map(without("/view"))
  if (subject === "blocks") return validateMessageBlocks(payload, refused).map(without("/blocks"))
  const blocks = isObject(payload) ? payload.blocks : undefined
  // Missing `text` is not a fault to this method.
  return blocks === undefined ? [] : validateMessageBlocks(blocks, refused)
}

/** Pointers begin in what was given. */
function without(prefix: string): (issue: Issue) => Issue {
  return ({ pointer, message }) => ({ pointer: pointer.slice(prefix.length), message })
}

function errorOf({ pointer, message }: Issue): JsonObject {
  const code = message.startsWith("unsupported type") ? "unsupported_type" : "failed_constraint"
  return { pointer, code, message }
}
