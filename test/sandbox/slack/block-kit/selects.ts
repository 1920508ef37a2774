import { z } from "zod"
import { confirm, conversationFilter, optionGroup, plainOption } from "./composition.ts"
import { actionId } from "./fields.ts"
import { plainText } from "./text.ts"

const common = {
  action_id: actionId,
  confirm: confirm.optional(),
  focus_on_load: z.boolean().optional(),
  placeholder: plainText(150).optional(),
}
const many = { ...common, max_selected_items: z.int().min(1).optional() }
const respondable = { response_url_enabled: z.boolean().optional() }

const staticOptions = {
  options: z.array(plainOption).min(1).max(100).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
}

function hasOneOptionList(select: {
  options?: unknown[] | undefined
  option_groups?: unknown[] | undefined
}): boolean {
  return (select.options === undefined) !== (select.option_groups === undefined)
}
const oneOptionList = "must provide either options or option_groups"

const conversations = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
}

export const selects = [
  z
    .strictObject({
      type: z.literal("static_select"),
      ...common,
      ...staticOptions,
      initial_option: plainOption.optional(),
    })
    .refine(hasOneOptionList, oneOptionList),
  z.strictObject({
    type: z.literal("external_select"),
    ...common,
    initial_option: plainOption.optional(),
    min_query_length: z.int().min(0).optional(),
  }),
  z.strictObject({
    type: z.literal("users_select"),
    ...common,
    initial_user: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("conversations_select"),
    ...common,
    ...respondable,
    ...conversations,
    initial_conversation: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal("channels_select"),
    ...common,
    ...respondable,
    initial_channel: z.string().optional(),
  }),
] as const

export const multiSelects = [
  z
    .strictObject({
      type: z.literal("multi_static_select"),
      ...many,
      ...staticOptions,
      initial_options: z.array(plainOption).min(1).optional(),
    })
    .refine(hasOneOptionList, oneOptionList),
  z.strictObject({
    type: z.literal("multi_external_select"),
    ...many,
    initial_options: z.array(plainOption).min(1).optional(),
    min_query_length: z.int().min(0).optional(),
  }),
  z.strictObject({
    type: z.literal("multi_users_select"),
    ...many,
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal("multi_conversations_select"),
    ...many,
    ...conversations,
    initial_conversations: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal("multi_channels_select"),
    ...many,
    initial_channels: z.array(z.string()).optional(),
  }),
] as const
