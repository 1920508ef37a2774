import { z } from "zod"
import { dataTable, dataVisualization, table } from "./data-blocks.ts"
import { inputElement, interactive } from "./elements.ts"
import { blockId, chars, mrkdwn, plainText, textObject } from "./fields.ts"

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

const richSection = z.strictObject({
  type: z.literal("rich_text_section"),
  elements: z.array(text),
})

const list = z.strictObject({
  type: z.literal("rich_text_list"),
  style: z.literal("bullet"),
  elements: z.array(richSection),
})

const quote = z.strictObject({
  type: z.literal("rich_text_quote"),
  elements: z.array(text),
})

const richText = z.strictObject({
  type: z.literal("rich_text"),
  block_id: blockId,
  elements: z.array(z.discriminatedUnion("type", [richSection, list, quote])),
})

export type Surface = "message" | "modal" | "home"

const divider = z.strictObject({ type: z.literal("divider"), block_id: blockId })

const header = z.strictObject({
  type: z.literal("header"),
  block_id: blockId,
  text: plainText(150),
})

const context = z.strictObject({
  type: z.literal("context"),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion("type", [plainText(), mrkdwn()]))
    .min(1)
    .max(10),
})

const section = z
  .strictObject({
    type: z.literal("section"),
    block_id: blockId,
    text: textObject(3000).optional(),
    fields: z.array(textObject(2000)).min(1).max(10).optional(),
    accessory: interactive.optional(),
  })
  .refine(
    (block) => block.text !== undefined || block.fields !== undefined,
    "must provide either text or fields",
  )

const actions = z.strictObject({
  type: z.literal("actions"),
  block_id: blockId,
  elements: z.array(interactive).min(1).max(25),
})

const input = z.strictObject({
  type: z.literal("input"),
  block_id: blockId,
  label: plainText(2000),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  element: inputElement,
})

const everywhere = { section, header, context, divider, actions, input, rich_text: richText }

/**
 * Block types that Slack renders on each surface, with their rules. Slack has more: types that the
 * bot doesn't send are unsupported until someone adds their rules.
 */
const blocksOf: Record<Surface, Record<string, z.ZodType>> = {
  message: {
    ...everywhere,
    table,
    data_table: dataTable,
    data_visualization: dataVisualization,
  },
  modal: everywhere,
  home: { ...everywhere, table, data_table: dataTable },
}

/** Returns the rules of a block type on a surface; undefined if Slack doesn't support it there. */
export function blockSchema(surface: Surface, type: string): z.ZodType | undefined {
  const schemas = blocksOf[surface]
  return Object.hasOwn(schemas, type) ? schemas[type] : undefined
}
