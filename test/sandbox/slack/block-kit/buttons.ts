import { z } from "zod"
import { confirm } from "./composition.ts"
import { actionId, chars, url } from "./fields.ts"
import { plainText } from "./text.ts"

const style = z.enum(["primary", "danger"]).optional()

export const button = z.strictObject({
  type: z.literal("button"),
  text: plainText(75),
  action_id: actionId,
  url: url().optional(),
  value: chars(2000, 0).optional(),
  style,
  confirm: confirm.optional(),
  accessibility_label: chars(75).optional(),
})

export const workflowButton = z.strictObject({
  type: z.literal("workflow_button"),
  text: plainText(75),
  action_id: actionId,
  workflow: z.strictObject({
    trigger: z.strictObject({
      url: url(),
      customizable_input_parameters: z
        .array(z.strictObject({ name: z.string(), value: z.string() }))
        .optional(),
    }),
  }),
  style,
  confirm: confirm.optional(),
  accessibility_label: chars(75).optional(),
})

const feedbackButton = z.strictObject({
  text: plainText(75),
  value: chars(2000),
  accessibility_label: chars(75).optional(),
})

export const feedbackButtons = z.strictObject({
  type: z.literal("feedback_buttons"),
  action_id: actionId,
  positive_button: feedbackButton,
  negative_button: feedbackButton,
})

export const iconButton = z.strictObject({
  type: z.literal("icon_button"),
  icon: z.literal("trash"),
  text: plainText(75),
  action_id: actionId,
  value: chars(2000).optional(),
  confirm: confirm.optional(),
  accessibility_label: chars(75).optional(),
  visible_to_user_ids: z.array(z.string()).optional(),
})
