import { z } from "zod"
import { isObject, type Json, stringIn } from "../../kit/json.ts"
import { duplicateIds, inconsistentElements, totalsOf } from "./across-blocks.ts"
import { blockSchema, type Surface } from "./blocks.ts"
import { chars, plainText } from "./fields.ts"
import { describeIssue, type Issue, issuesOf } from "./issue.ts"

/** Block types unknown to one workspace, as while Slack rolls a block out. */
type RefusedTypes = ReadonlySet<string>

const refusesNothing: RefusedTypes = new Set()

/** Returns every error in the `blocks` of a message; empty if Slack would accept them. */
export function validateMessageBlocks(blocks: Json, refused = refusesNothing): Issue[] {
  if (!Array.isArray(blocks)) return [{ pointer: "/blocks", message: "must provide an array" }]
  const issues = validateBlocks(blocks, "message", "/blocks", refused)
  if (blocks.length > 50) {
    issues.unshift({ pointer: "/blocks", message: "no more than 50 items allowed" })
  }
  return [...issues, ...totalsOf(blocks.filter(isObject), "/blocks")]
}

/** Returns every error in a modal or Home tab; pointers begin with `/view`. */
export function validateView(view: Json, refused = refusesNothing): Issue[] {
  const frame = viewFrame.safeParse(view, { error: describeIssue })
  const issues = frame.success ? [] : issuesOf(frame.error, "/view")
  if (!isObject(view)) return issues
  const blocks = Array.isArray(view.blocks) ? view.blocks : []
  const surface = view.type === "home" ? "home" : "modal"
  issues.push(...validateBlocks(blocks, surface, "/view/blocks", refused))
  const hasInput = blocks.some((block) => isObject(block) && block.type === "input")
  if (surface === "modal" && hasInput && view.submit === undefined) {
    issues.push({ pointer: "/view", message: "missing required field: submit" })
  }
  return issues
}

function validateBlocks(
  blocks: readonly Json[],
  surface: Surface,
  root: string,
  refused: RefusedTypes,
): Issue[] {
  const issues = blocks.flatMap((block, index) =>
    validateBlock(block, surface, `${root}/${index}`, refused),
  )
  const objects = blocks.filter(isObject)
  return [...issues, ...duplicateIds(objects, root), ...inconsistentElements(objects, root)]
}

function validateBlock(block: Json, surface: Surface, pointer: string, refused: RefusedTypes) {
  if (!isObject(block)) return [{ pointer, message: "must provide an object" }]
  const type = stringIn(block, "type")
  if (type === undefined) return [{ pointer, message: "missing required field: type" }]
  const schema = blockSchema(surface, type)
  if (schema === undefined || refused.has(type)) {
    return [{ pointer: `${pointer}/type`, message: `unsupported type: ${type}` }]
  }
  const parsed = schema.safeParse(block, { error: describeIssue })
  return parsed.success ? [] : issuesOf(parsed.error, pointer)
}

const common = {
  blocks: z.array(z.unknown()).max(100),
  private_metadata: chars(3000, 0).optional(),
  callback_id: chars(255, 0).optional(),
}

/** Schema of a view without its blocks, which are validated one by one. */
const viewFrame = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("modal"),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal("home"), ...common }),
])
