import { z } from "zod"
import { button } from "./buttons.ts"
import { blockId } from "./fields.ts"
import { actions, input, section } from "./interactive.ts"
import { context, divider, file, header, image, imageElement, video } from "./layout.ts"
import { richText } from "./rich-text.ts"
import { table } from "./tables.ts"
import { plainText, textObject } from "./text.ts"

export const card = z
  .strictObject({
    type: z.literal("card"),
    block_id: blockId,
    hero_image: imageElement.optional(),
    icon: imageElement.optional(),
    title: textObject(150).optional(),
    subtitle: textObject(150).optional(),
    body: textObject(200).optional(),
    subtext: textObject(200).optional(),
    actions: z.array(button).min(1).max(3).optional(),
  })
  .refine(
    (block) => [block.hero_image, block.title, block.actions, block.body].some((part) => part),
    "must provide one of hero_image, title, actions, body",
  )

export const carousel = z.strictObject({
  type: z.literal("carousel"),
  block_id: blockId,
  elements: z.array(card).min(1).max(10),
})

export const container = z
  .strictObject({
    type: z.literal("container"),
    block_id: blockId,
    title: plainText(150).optional(),
    rich_text_title: richText.optional(),
    subtitle: textObject(150).optional(),
    icon: imageElement.optional(),
    width: z.enum(["narrow", "standard", "wide", "full"]).optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
    child_blocks: z
      .array(
        z.discriminatedUnion("type", [
          actions,
          context,
          divider,
          file,
          header,
          image,
          input,
          richText,
          section,
          table,
          video,
        ]),
      )
      .min(1)
      .max(10),
  })
  .refine(
    (block) => block.title !== undefined || block.rich_text_title !== undefined,
    "must provide either title or rich_text_title",
  )
  .refine(
    (block) => block.default_collapsed !== true || block.is_collapsible === true,
    "default_collapsed requires is_collapsible",
  )
