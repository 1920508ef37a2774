import { z } from "zod"

const scope = {
  /** Text that the path below the API's base must contain. */
  path: z.string().optional(),
  times: z.number().int().min(1).optional(),
  /** Chance from 0 to 1 that a request is affected; `seed` makes the draws repeatable. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.number().int().optional(),
}

export const faultSchema = z.discriminatedUnion("type", [
  /** Sends "An error message that indicates that you exceeded a secondary rate limit". */
  z.strictObject({
    ...scope,
    type: z.literal("secondary_limit"),
    status: z.union([z.literal(403), z.literal(429)]).default(403),
    /** Delay in seconds, "If the `retry-after` response header is present". */
    retryAfter: z.number().int().min(0).optional(),
  }),
  z.strictObject({
    ...scope,
    type: z.literal("status"),
    status: z.number().int().min(200).max(599),
    message: z.string().optional(),
    body: z.enum(["json", "html", "empty"]).default("json"),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  /** Redirects, by default to the same path: "Any request may result in a redirection." */
  z.strictObject({
    ...scope,
    type: z.literal("redirect"),
    status: z.union([z.literal(301), z.literal(302), z.literal(307), z.literal(308)]).default(307),
    location: z.string().optional(),
  }),
  z.strictObject({ ...scope, type: z.literal("body"), text: z.string() }),
  /** Returns valid JSON with another value of a top-level field. */
  z.strictObject({ ...scope, type: z.literal("field"), name: z.string(), value: z.json() }),
  z.strictObject({ ...scope, type: z.literal("header"), name: z.string(), value: z.string() }),
  z.strictObject({ ...scope, type: z.literal("delay"), ms: z.number().int().min(0) }),
  z.strictObject({ ...scope, type: z.literal("hang") }),
  z.strictObject({ ...scope, type: z.literal("reset") }),
])

export type Fault = z.input<typeof faultSchema>
export type ParsedFault = z.output<typeof faultSchema>

export function isMeantFor(fault: ParsedFault, target: { readonly path: string }): boolean {
  return fault.path === undefined || target.path.includes(fault.path)
}
