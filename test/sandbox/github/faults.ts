import { z } from "zod"

const times = z.number().int().min(1).optional()

export const faultSchema = z.discriminatedUnion("type", [
  /** Sends "An error message that indicates that you exceeded a secondary rate limit". */
  z.strictObject({
    times,
    type: z.literal("secondary_limit"),
    status: z.union([z.literal(403), z.literal(429)]).default(403),
    /** Delay in seconds, "If the `retry-after` response header is present". */
    retryAfter: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    times,
    type: z.literal("status"),
    status: z.number().int().min(200).max(599),
    message: z.string().optional(),
    body: z.enum(["json", "html", "empty"]).default("json"),
  }),
  /** "Any request may result in a redirection." */
  z.strictObject({ times, type: z.literal("redirect"), location: z.string() }),
  z.strictObject({ times, type: z.literal("body"), text: z.string() }),
  /** Returns valid JSON with another value of a top-level field. */
  z.strictObject({ times, type: z.literal("field"), name: z.string(), value: z.json() }),
  z.strictObject({ times, type: z.literal("reset") }),
])

export type Fault = z.input<typeof faultSchema>
export type ParsedFault = z.output<typeof faultSchema>
