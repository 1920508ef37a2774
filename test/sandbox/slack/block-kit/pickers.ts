import { z } from "zod"
import { confirm } from "./composition.ts"
import { actionId } from "./fields.ts"
import { plainText } from "./text.ts"

const focusable = {
  action_id: actionId,
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
}
const placeholder = plainText(150).optional()

export const datepicker = z.strictObject({
  type: z.literal("datepicker"),
  ...focusable,
  placeholder,
  initial_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "must be YYYY-MM-DD")
    .optional(),
})

export const timepicker = z.strictObject({
  type: z.literal("timepicker"),
  ...focusable,
  placeholder,
  initial_time: z
    .string()
    .regex(/^\d{2}:\d{2}$/, "must be HH:mm")
    .optional(),
  timezone: z.string().optional(),
})

/** `initial_date_time` is seconds since 1970, always ten digits. */
export const datetimepicker = z.strictObject({
  type: z.literal("datetimepicker"),
  ...focusable,
  initial_date_time: z.int().min(1_000_000_000).max(9_999_999_999).optional(),
})
