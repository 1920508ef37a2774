import { z } from "zod"

/**
 * Returns a schema for `min` to `max` characters. Counts code points, not UTF-16 units: to Slack,
 * an emoji is one character.
 */
export function chars(max: number, min = 1) {
  return z.string().check((context) => {
    const length = countChars(context.value)
    if (length > max) {
      context.issues.push(custom(context.value, `must be less than ${max + 1} characters`))
    } else if (length < min) {
      context.issues.push(custom(context.value, `must be more than ${min - 1} characters`))
    }
  })
}

export function countChars(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Returns a URL schema: Slack allows 3,000 characters and rejects what doesn't parse. */
export function url(max = 3000) {
  return chars(max).check((context) => {
    if (!URL.canParse(context.value)) context.issues.push(custom(context.value, "invalid url"))
  })
}

export const blockId = chars(255, 0).optional()
export const actionId = chars(255).optional()

function custom(input: string, message: string) {
  return { code: "custom" as const, input, message }
}

/** Returns a text object schema, by default with Slack's maximum of 3,000 characters. */
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
