import { z } from "zod"
import { hasOneSource, imageSource, oneSourceOnly } from "./composition.ts"
import { blockId, chars, url } from "./fields.ts"
import { mrkdwn, plainText, textObject } from "./text.ts"

export const divider = z.strictObject({ type: z.literal("divider"), block_id: blockId })

export const header = z.strictObject({
  type: z.literal("header"),
  block_id: blockId,
  text: plainText(150),
  level: z.int().min(1).max(4).optional(),
})

export const image = z
  .strictObject({
    type: z.literal("image"),
    block_id: blockId,
    alt_text: chars(2000),
    title: plainText(2000).optional(),
    ...imageSource,
  })
  .refine(hasOneSource, oneSourceOnly)

/** The small image of a section's accessory, a context or a card. */
export const imageElement = z
  .strictObject({ type: z.literal("image"), alt_text: chars(2000), ...imageSource })
  .refine(hasOneSource, oneSourceOnly)

export const context = z.strictObject({
  type: z.literal("context"),
  block_id: blockId,
  elements: z
    .array(z.discriminatedUnion("type", [imageElement, plainText(), mrkdwn()]))
    .min(1)
    .max(10),
})

export const file = z.strictObject({
  type: z.literal("file"),
  block_id: blockId,
  source: z.literal("remote"),
  external_id: chars(255),
})

export const video = z.strictObject({
  type: z.literal("video"),
  block_id: blockId,
  alt_text: chars(2000),
  title: plainText(199),
  title_url: url().optional(),
  description: plainText(200).optional(),
  thumbnail_url: url(),
  video_url: url(),
  author_name: chars(49).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: url().optional(),
})

/** Standard Markdown. The 12,000 characters are counted over all markdown blocks of a message. */
export const markdown = z.strictObject({
  type: z.literal("markdown"),
  block_id: blockId,
  text: chars(12_000),
})

/** A notice inside a modal. */
export const alert = z.strictObject({
  type: z.literal("alert"),
  block_id: blockId,
  text: textObject(200),
  level: z.enum(["default", "info", "warning", "error", "success"]).optional(),
})
