import { z } from "zod"
import { wasCleaned } from "../lib/secret-filter.ts"

// Answers of the documentation service, as its API document gives them (sections 2.1 and 4.2).
// The schemas require only the fields that the bot needs: some deployments leave `source.ref` null,
// and the bot must not lose a job over an unused field.

/** Maximum length of an id, in code units; ids become part of URLs. */
const MAX_ID = 500
/** Maximum length of a stored link, in code units; `safeUrl` doesn't show links over 2,000. */
const MAX_LINK = 3000
const ENDED = ["completed", "archived", "failed"] as const

/** Drops an empty link or id, and one from which the bot removed a secret. */
const optional = (text: z.ZodString) =>
  text.nullish().transform((found) => (found && !wasCleaned(found) ? found : undefined))
const link = optional(z.string()).transform((found) => found?.slice(0, MAX_LINK))

/** Reads a status that the bot acts on; `other` replaces every status that it does not know. */
const oneOf = <Known extends string, Other extends string>(known: readonly Known[], other: Other) =>
  z.string().transform((text): Known | Other => known.find((one) => one === text) ?? other)

export type AgentJob = Partial<z.output<typeof agentJobSchema>> &
  Pick<z.output<typeof agentJobSchema>, "status">

export const agentJobSchema = z.object({
  // "A client polls until the status is completed, archived or failed": until then it is active.
  status: oneOf(ENDED, "active"),
  prLink: link,
})

export const createdJobSchema = z.object({
  id: z
    .string()
    .min(1)
    .max(MAX_ID)
    // As parts of a path, these mean another path, in each of their spellings.
    .refine((id) => !/^\.\.?$/.test(id), "means another path")
    .refine((id) => !wasCleaned(id), "repeats a secret"),
  prLink: link.catch(undefined),
})

/** Status after a follow-up; undefined if the answer that accepts the message has none. */
export const messageSchema = agentJobSchema
  .transform(({ status }) => status)
  .optional()
  .catch(undefined)

/** Numbers of unique visitors. The service deduplicates `total`, so it is not human + ai. */
export type Figures = z.output<typeof figuresSchema>
export type PageVisitors = VisitorsPage["visitors"][number]
export type VisitorsPage = z.output<typeof visitorsPageSchema>

const count = z.number({ error: "isn't a number" }).nonnegative({ error: "is negative" })
export const figuresSchema = z.object({ human: count, ai: count, total: count })

export const visitorsPageSchema = z.object({
  totals: figuresSchema,
  visitors: z.array(figuresSchema.extend({ path: z.string() })),
  hasMore: z.boolean(),
})
