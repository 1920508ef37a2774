import { z } from "zod"
import type { Json } from "../../kit/json.ts"

/** Boolean argument: forms send everything as text. */
export const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1")

export const count = z.coerce.number().int().min(1)
export const id = z.string().min(1)
export const json = z.custom<Json>()
