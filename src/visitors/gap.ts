import { z } from "zod"

const count = z.number().nonnegative()
const path = z.string()

export const gap = z.discriminatedUnion("kind", [
  /** Question; `asked` counts conversations, the service's closest figure to people. */
  z.object({
    kind: z.literal("question"),
    text: z.string(),
    asked: count,
    path: path.exactOptional(),
  }),
  /** Search; `lost` counts those after which nobody opened a page. */
  z.object({ kind: z.literal("search"), text: z.string(), hits: count, lost: count }),
  z.object({ kind: z.literal("page"), path, up: count, down: count }),
])
export type Gap = z.infer<typeof gap>
