import { z } from "zod"
import { isObject, type JsonObject } from "../../kit/json.ts"
import type { Issue } from "../block-kit/issue.ts"
import { validateMessageBlocks, validateView } from "../block-kit/validate.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments, invalidArguments, json } from "./arguments.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"

const schema = z.object({ message: json.optional(), view: json.optional() })

/** Checks a message or a view without showing it to anybody. */
export const blocksValidate: Method = {
  limit: tier4,
  run(_, args) {
    const { message, view } = checkArguments(schema, args)
    if ((message === undefined) === (view === undefined))
      throw invalidArguments(["provide exactly one of view or message"])
    if (view !== undefined) return verdict("invalid_view", validateView(view))
    const shown = isObject(message) ? (message.blocks ?? []) : []
    return verdict("invalid_message", validateMessageBlocks(shown))
  },
}

function verdict(code: string, issues: readonly Issue[]): JsonObject {
  if (issues.length === 0) return {}
  const errors = issues.map(({ pointer, message }) => ({
    pointer,
    message,
    code: "failed_constraint",
  }))
  throw new ApiError(code, { errors })
}
