import { z } from "zod"
import { figureNames } from "../../visitors/question.ts"

/** What a report answers, as it stands in every record that leads back to one. */
export const question = z.object({
  project: z.string(),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }),
  filter: z.string().exactOptional(),
  by: z.enum(figureNames),
  page: z.number().int().positive(),
})
