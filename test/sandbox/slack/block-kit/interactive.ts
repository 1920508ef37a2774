import { z } from "zod"
import { button, feedbackButtons, iconButton, workflowButton } from "./buttons.ts"
import { checkboxes, overflow, radioButtons } from "./choices.ts"
import { blockId } from "./fields.ts"
import { richTextInput, textInputs } from "./inputs.ts"
import { imageElement } from "./layout.ts"
import { datepicker, datetimepicker, timepicker } from "./pickers.ts"
import { multiSelects, selects } from "./selects.ts"
import { plainText, textObject } from "./text.ts"

const pickable = [
  checkboxes,
  radioButtons,
  datepicker,
  timepicker,
  ...selects,
  ...multiSelects,
] as const

export const section = z
  .strictObject({
    type: z.literal("section"),
    block_id: blockId,
    text: textObject(3000).optional(),
    fields: z.array(textObject(2000)).min(1).max(10).optional(),
    accessory: z
      .discriminatedUnion("type", [button, workflowButton, overflow, imageElement, ...pickable])
      .optional(),
    expand: z.boolean().optional(),
  })
  .refine(
    (block) => block.text !== undefined || block.fields !== undefined,
    "must provide either text or fields",
  )

export const actions = z.strictObject({
  type: z.literal("actions"),
  block_id: blockId,
  elements: z
    .array(
      z.discriminatedUnion("type", [
        button,
        workflowButton,
        overflow,
        datetimepicker,
        richTextInput,
        ...pickable,
      ]),
    )
    .min(1)
    .max(25),
})

export const contextActions = z.strictObject({
  type: z.literal("context_actions"),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion("type", [feedbackButtons, iconButton]))
    .min(1)
    .max(5),
})

export const input = z.strictObject({
  type: z.literal("input"),
  block_id: blockId,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: z.discriminatedUnion("type", [...textInputs, datetimepicker, ...pickable]),
})
