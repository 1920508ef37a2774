import { z } from "zod"
import { blockId, chars, url } from "./fields.ts"
import { richText } from "./rich-text.ts"

const source = z.strictObject({ type: z.literal("url"), url: url(), text: chars(3000) })

function task<const S extends readonly [string, ...string[]]>(statuses: S) {
  return z.strictObject({
    type: z.literal("task_card"),
    block_id: blockId,
    task_id: chars(255),
    title: chars(3000),
    status: z.enum(statuses),
    details: richText.optional(),
    output: richText.optional(),
    sources: z.array(source).optional(),
  })
}

/** On its own a task must have begun; `pending` is for the tasks of a plan. */
export const taskCard = task(["in_progress", "complete", "error"])

export const plan = z.strictObject({
  type: z.literal("plan"),
  block_id: blockId,
  title: chars(3000),
  tasks: z
    .array(task(["pending", "in_progress", "complete", "error"]))
    .max(50)
    .optional(),
})
