import { z } from "zod"
import { chars, plainText } from "./fields.ts"

const common = {
  blocks: z.array(z.unknown()).max(100),
  private_metadata: chars(3000, 0).optional(),
  callback_id: chars(255, 0).optional(),
}

/** Schema of a view without its blocks, which are validated one by one. */
export const viewFrame = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("modal"),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    ...common,
  }),
  z.strictObject({ type: z.literal("home"), ...common }),
])
