import { z } from "zod"
import { blockId, chars, url } from "./fields.ts"

const style = z
  .strictObject({
    bold: z.boolean().optional(),
    italic: z.boolean().optional(),
    strike: z.boolean().optional(),
    code: z.boolean().optional(),
    underline: z.boolean().optional(),
    highlight: z.boolean().optional(),
    client_highlight: z.boolean().optional(),
    unlink: z.boolean().optional(),
  })
  .optional()

const text = z.strictObject({ type: z.literal("text"), text: chars(Infinity), style })
const link = z.strictObject({
  type: z.literal("link"),
  url: url(),
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  style,
})

const inline = z.discriminatedUnion("type", [
  text,
  link,
  z.strictObject({ type: z.literal("channel"), channel_id: chars(255), style }),
  z.strictObject({
    type: z.literal("emoji"),
    name: chars(255),
    unicode: z.string().optional(),
    url: url().optional(),
    style,
  }),
  z.strictObject({ type: z.literal("user"), user_id: chars(255), style }),
])

const border = z.union([z.literal(0), z.literal(1)]).optional()

const section = z.strictObject({
  type: z.literal("rich_text_section"),
  elements: z.array(inline),
})

const list = z.strictObject({
  type: z.literal("rich_text_list"),
  style: z.enum(["bullet", "ordered"]),
  elements: z.array(section),
  indent: z.int().min(0).max(8).optional(),
  offset: z.int().min(0).optional(),
  border,
})

const quote = z.strictObject({
  type: z.literal("rich_text_quote"),
  elements: z.array(inline),
  border,
})

/** Preformatted text knows only text and links. */
const preformatted = z.strictObject({
  type: z.literal("rich_text_preformatted"),
  elements: z.array(z.discriminatedUnion("type", [text, link])),
  border,
})

export const richText = z.strictObject({
  type: z.literal("rich_text"),
  block_id: blockId,
  elements: z.array(z.discriminatedUnion("type", [section, list, quote, preformatted])),
})
