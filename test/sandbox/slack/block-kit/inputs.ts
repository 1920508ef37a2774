import { z } from "zod"
import { dispatchActionConfig } from "./composition.ts"
import { actionId, chars } from "./fields.ts"
import { richText } from "./rich-text.ts"
import { plainText } from "./text.ts"

const common = { action_id: actionId, focus_on_load: z.boolean().optional() }
const typed = {
  ...common,
  placeholder: plainText(150).optional(),
  dispatch_action_config: dispatchActionConfig.optional(),
}
const numeral = z.string().regex(/^-?\d+(\.\d+)?$/, "must be a number in a string")
const lines = z.int().min(1).max(100).optional()

const plainTextInput = z
  .strictObject({
    type: z.literal("plain_text_input"),
    ...typed,
    initial_value: chars(3000, 0).optional(),
    multiline: z.boolean().optional(),
    min_length: z.int().min(0).max(3000).optional(),
    max_length: z.int().min(1).max(3000).optional(),
  })
  .refine(
    (input) => (input.min_length ?? 0) <= (input.max_length ?? 3000),
    "min_length must be less than max_length",
  )

export const richTextInput = z.strictObject({
  type: z.literal("rich_text_input"),
  ...typed,
  initial_value: richText.optional(),
  min_lines: lines,
  max_lines: lines,
})

/** Elements in which a person types. */
export const textInputs = [
  plainTextInput,
  richTextInput,
  z.strictObject({
    type: z.literal("email_text_input"),
    ...typed,
    initial_value: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("url_text_input"),
    ...typed,
    initial_value: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("number_input"),
    ...typed,
    is_decimal_allowed: z.boolean(),
    initial_value: numeral.optional(),
    min_value: numeral.optional(),
    max_value: numeral.optional(),
  }),
  z.strictObject({
    type: z.literal("file_input"),
    action_id: actionId,
    filetypes: z.array(z.string()).min(1).optional(),
    max_files: z.int().min(1).max(10).optional(),
  }),
] as const
