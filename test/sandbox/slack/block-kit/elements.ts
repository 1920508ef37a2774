import { z } from "zod"
import { actionId, chars, plainText, textObject, url } from "./fields.ts"

/** Confirmation dialog of an interactive element. */
const confirm = z
  .strictObject({
    title: plainText(100).optional(),
    text: textObject(300),
    confirm: plainText(30).optional(),
    deny: plainText(30).optional(),
  })
  .optional()

const option = z.strictObject({ text: plainText(75), value: chars(75) })

const select = {
  action_id: actionId,
  placeholder: plainText(150).optional(),
}

const button = z.strictObject({
  type: z.literal("button"),
  text: plainText(75),
  action_id: actionId,
  url: url().optional(),
  value: chars(2000, 0).optional(),
  style: z.enum(["primary", "danger"]).optional(),
  confirm,
  accessibility_label: chars(75).optional(),
})

const staticSelect = z.strictObject({
  type: z.literal("static_select"),
  ...select,
  options: z.array(option).min(1).max(100),
  initial_option: option.optional(),
})

const conversationsSelect = z.strictObject({
  type: z.literal("conversations_select"),
  ...select,
  filter: z
    .strictObject({
      include: z
        .array(z.enum(["im", "mpim", "private", "public"]))
        .min(1)
        .optional(),
    })
    .optional(),
  initial_conversation: z.string().optional(),
})

const plainTextInput = z.strictObject({
  type: z.literal("plain_text_input"),
  action_id: actionId,
  focus_on_load: z.boolean().optional(),
  placeholder: plainText(150).optional(),
  initial_value: chars(3000, 0).optional(),
  multiline: z.boolean().optional(),
  max_length: z.int().min(1).max(3000).optional(),
})

/** Elements of an actions block, or beside a section. */
export const interactive = z.discriminatedUnion("type", [button, staticSelect, conversationsSelect])

export const inputElement = z.discriminatedUnion("type", [
  plainTextInput,
  staticSelect,
  conversationsSelect,
])
