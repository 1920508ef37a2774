import { z } from "zod"
import { confirm, overflowOption, richOption } from "./composition.ts"
import { actionId } from "./fields.ts"

const focusable = {
  action_id: actionId,
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
}

export const checkboxes = z.strictObject({
  type: z.literal("checkboxes"),
  ...focusable,
  options: z.array(richOption).min(1).max(10),
  initial_options: z.array(richOption).min(1).max(10).optional(),
})

export const radioButtons = z.strictObject({
  type: z.literal("radio_buttons"),
  ...focusable,
  options: z.array(richOption).min(1).max(10),
  initial_option: richOption.optional(),
})

export const overflow = z.strictObject({
  type: z.literal("overflow"),
  action_id: actionId,
  confirm: confirm.optional(),
  options: z.array(overflowOption).min(2).max(5),
})
