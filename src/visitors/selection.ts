import { z } from "zod"
import { units } from "./range.ts"

/** Selects what a report shows. */
export const selection = z.object({
  project: z.string(),
  range: z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    unit: z.enum(units).exactOptional(),
  }),
  filter: z.string().exactOptional(),
  /** Page of the table, from 1. */
  page: z.number().int().positive(),
})
export type Selection = z.infer<typeof selection>
