import { z } from "zod"

/** An id becomes part of an address; code units. */
const LONGEST_ID = 500
/**
 * Answers of the documentation service, as its API document gives them (sections 2.1 and 4.2).
 * Unknown extra fields are tolerated. Fields the bot does not need are not demanded: deployments
 * were seen to leave `source.ref` null, and a job must not be lost over a field nobody reads.
 */
export const agentJobSchema = z.object({
  id: z.string().min(1).max(LONGEST_ID),
  status: z.enum(["active", "completed", "archived", "failed"]),
  prLink: z.string().nullish(),
})

const count = z.number().nonnegative()
const figures = { human: count, ai: count, total: count }

export const visitorsPageSchema = z.object({
  totals: z.object(figures),
  visitors: z.array(z.object({ path: z.string(), ...figures })),
  hasMore: z.boolean(),
})
