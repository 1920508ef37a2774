import { z } from "zod"
import { figureNames } from "../visitors/question.ts"

export const rangeShape = z.object({ from: z.iso.date(), to: z.iso.date() })

export const questionShape = z.object({
  project: z.string(),
  range: rangeShape,
  filter: z.string().exactOptional(),
  by: z.enum(figureNames),
  page: z.number().int().positive(),
})
