import { z } from "zod"
import { isObject, type JsonObject } from "../../kit/json.ts"
import type { Issue } from "../block-kit/issue.ts"
import { validateMessageBlocks, validateView } from "../block-kit/validate.ts"
import { ApiError } from "./api-error.ts"
import { checkArguments, invalidArguments, json } from "./arguments.ts"
import type { Method } from "./method.ts"
import { tier4 } from "./rate-limits.ts"

const schema = z.object({
  blocks: json.optional(),
  message: json.optional(),
  view: json.optional(),
})

/** Checks a payload, of which exactly one may be given, without showing it to anybody. */
export const blocksValidate: Method = {
  limit: tier4,
  run(_, args) {
    const { blocks, message, view } = checkArguments(schema, args)
    if ([blocks, message, view].filter((given) => given !== undefined).length !== 1)
      throw invalidArguments(["provide exactly one of blocks, view, or message"])
    if (view !== undefined) return verdict("invalid_view", validateView(view))
    if (blocks !== undefined) return verdict("invalid_blocks", validateMessageBlocks(blocks))
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
