import { z } from "zod"
import { chars, url } from "./fields.ts"
import { plainText, textObject } from "./text.ts"

/** The "are you sure" dialog an interactive element may carry. */
export const confirm = z.strictObject({
  title: plainText(100).optional(),
  text: textObject(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(["primary", "danger"]).optional(),
})

export const plainOption = z.strictObject({
  text: plainText(75),
  value: chars(75),
  description: plainText(75).optional(),
})

/** Checkboxes and radio buttons also take mrkdwn. */
export const richOption = z.strictObject({
  text: textObject(75),
  value: chars(75),
  description: textObject(75).optional(),
})

/** Only overflow menus take a URL. */
export const overflowOption = plainOption.extend({ url: url().optional() })

export const optionGroup = z.strictObject({
  label: plainText(75),
  options: z.array(plainOption).min(1).max(100),
})

export const dispatchActionConfig = z.strictObject({
  trigger_actions_on: z
    .array(z.enum(["on_enter_pressed", "on_character_entered"]))
    .min(1)
    .optional(),
})

export const conversationFilter = z.strictObject({
  include: z
    .array(z.enum(["im", "mpim", "private", "public"]))
    .min(1)
    .optional(),
  exclude_external_shared_channels: z.boolean().optional(),
  exclude_bot_users: z.boolean().optional(),
})

/** An image comes from a public URL or from a file in Slack, never both. */
export const imageSource = {
  image_url: url().optional(),
  slack_file: z.strictObject({ url: url().optional(), id: chars(255).optional() }).optional(),
}

export function hasOneSource(image: {
  image_url?: string | undefined
  slack_file?: object | undefined
}): boolean {
  return (image.image_url === undefined) !== (image.slack_file === undefined)
}

export const oneSourceOnly = "must provide either image_url or slack_file"
