import { z } from "zod"
import { blockId, chars } from "./fields.ts"

/** Rich text as the bot sends it, which Slack shows literally. */
const text = z.strictObject({
  type: z.literal("text"),
  text: chars(Infinity),
  style: z
    .strictObject({
      bold: z.boolean().optional(),
      strike: z.boolean().optional(),
      code: z.boolean().optional(),
    })
    .optional(),
})

const section = z.strictObject({
  type: z.literal("rich_text_section"),
  elements: z.array(text),
})

const list = z.strictObject({
  type: z.literal("rich_text_list"),
  style: z.literal("bullet"),
  elements: z.array(section),
})

const quote = z.strictObject({
  type: z.literal("rich_text_quote"),
  elements: z.array(text),
})

export const richText = z.strictObject({
  type: z.literal("rich_text"),
  block_id: blockId,
  elements: z.array(z.discriminatedUnion("type", [section, list, quote])),
})
