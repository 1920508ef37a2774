import { z } from "zod"
import { dataVisualization } from "./charts.ts"
import { inputElement, interactive } from "./elements.ts"
import { blockId, mrkdwn, plainText, textObject } from "./fields.ts"
import { richText } from "./rich-text.ts"
import { dataTable, table } from "./tables.ts"

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
 * Which block types Slack renders where, with the rules of each. Slack knows more: what the bot does
 * not send is unsupported here until somebody writes its rules down.
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

/** The rules of a block type on a surface; undefined where Slack does not support it. */
export function blockSchema(surface: Surface, type: string): z.ZodType | undefined {
  const schemas = blocksOf[surface]
  return Object.hasOwn(schemas, type) ? schemas[type] : undefined
}
