import type { z } from "zod"
import { card, carousel, container } from "./cards.ts"
import { dataVisualization } from "./charts.ts"
import { actions, contextActions, input, section } from "./interactive.ts"
import { alert, context, divider, file, header, image, markdown, video } from "./layout.ts"
import { richText } from "./rich-text.ts"
import { dataTable, table } from "./tables.ts"
import { plan, taskCard } from "./tasks.ts"

export type Surface = "message" | "modal" | "home"

const everywhere = { section, header, context, divider, actions, input, image, video, card }

/** Which block types Slack renders where, with the rules of each. */
const blocksOf: Record<Surface, Record<string, z.ZodType>> = {
  message: {
    ...everywhere,
    rich_text: richText,
    markdown,
    file,
    table,
    data_table: dataTable,
    data_visualization: dataVisualization,
    task_card: taskCard,
    plan,
    carousel,
    container,
    context_actions: contextActions,
  },
  modal: { ...everywhere, rich_text: richText, alert },
  home: { ...everywhere, rich_text: richText, table, data_table: dataTable, carousel, container },
}

/** The rules of a block type on a surface; undefined where Slack does not support it. */
export function blockSchema(surface: Surface, type: string): z.ZodType | undefined {
  const schemas = blocksOf[surface]
  return Object.hasOwn(schemas, type) ? schemas[type] : undefined
}
