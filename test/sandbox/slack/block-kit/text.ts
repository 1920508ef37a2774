import { z } from "zod"
import { chars } from "./fields.ts"

/** Text objects hold 1..3000 characters unless the field that holds them says less. */
export function plainText(max = 3000) {
  return z.strictObject({
    type: z.literal("plain_text"),
    text: chars(max),
    emoji: z.boolean().optional(),
  })
}

export function mrkdwn(max = 3000) {
  return z.strictObject({
    type: z.literal("mrkdwn"),
    text: chars(max),
    verbatim: z.boolean().optional(),
  })
}

export function textObject(max = 3000) {
  return z.discriminatedUnion("type", [plainText(max), mrkdwn(max)])
}
