import { z } from "zod"
import { DocsError } from "../errors/docs-error.ts"
import { parseJson } from "../text/json.ts"

/** A job of the service as a poll finds it, as far as the bot needs it. */
export interface AgentJob {
  /** Whatever the service calls a job that has not ended is "active". */
  status: "active" | (typeof ENDED)[number]
  prLink?: string | undefined
  /** The branch that the agent works on, where the service says it. */
  branch?: string | undefined
}

/** Git itself takes no longer ones on most systems; code units. */
const LONGEST_BRANCH = 255
const ENDED = ["completed", "archived", "failed"] as const
/** An id becomes part of an address; code units. */
const LONGEST_ID = 500
/**
 * Answers of the documentation service, as its API document gives them (sections 2.1 and 4.2).
 * Unknown extra fields are tolerated. Fields the bot does not need are not demanded: deployments
 * were seen to leave `source.ref` null, and a job must not be lost over a field nobody reads.
 */
export const agentJobSchema = z.object({
  // "A client polls until the status is completed, archived or failed": until then it is active.
  status: z
    .string()
    .transform((text): AgentJob["status"] => ENDED.find((status) => status === text) ?? "active"),
  prLink: z.string().nullish(),
  source: z
    .object({ ref: z.string().max(LONGEST_BRANCH).nullish() })
    .nullish()
    .catch(undefined),
})

/** A new job. Only its id is needed: the first poll reads its status again. */
export const createdJobSchema = z.object({
  id: z.string().min(1).max(LONGEST_ID),
  prLink: z.string().nullish().catch(undefined),
})

/** Unique visitors. `total` is deduplicated by the service: it is never human + ai. */
export type Figures = Pick<PageVisitors, "human" | "ai" | "total">
export type PageVisitors = VisitorsPage["visitors"][number]
/** One page of the visitors export. */
export type VisitorsPage = z.output<typeof visitorsPageSchema>

const count = z.number({ error: "is no number" }).nonnegative({ error: "is negative" })
const figures = { human: count, ai: count, total: count }

export const visitorsPageSchema = z.object({
  totals: z.object(figures),
  visitors: z.array(z.object({ path: z.string(), ...figures })),
  hasMore: z.boolean(),
})

/** A build of a branch: where to ask for it, and where to see it. */
export interface StartedPreview {
  statusId?: string | undefined
  url?: string | undefined
}

/** The progress of a build; any field but the status may be missing. */
export type PreviewStatus = Pick<z.output<typeof previewStatusSchema>, "status"> & {
  summary?: string | undefined
  files?: { added: number; modified: number; removed: number } | undefined
}

/** 202: "statusId" and "previewUrl"; either may be missing. */
export const startedPreviewSchema = z.object({
  statusId: z.string().min(1).max(LONGEST_ID).nullish().catch(undefined),
  previewUrl: z.string().max(2000).nullish().catch(undefined),
})

const paths = z
  .array(z.unknown())
  .transform(({ length }) => length)
  .catch(0)
const filesChanged = z.object({ added: paths, modified: paths, removed: paths })

const PREVIEW_ENDS = ["success", "failure"] as const

/** "Get the status of an update": queued, in_progress, success or failure. */
export const previewStatusSchema = z
  .object({
    // A build that has not ended is asked about again, under whatever name its state has.
    status: z
      .string()
      .transform((text) => PREVIEW_ENDS.find((status) => status === text) ?? ("running" as const)),
    summary: z.string().nullish().catch(undefined),
    commit: z
      .object({ filesChanged: filesChanged.nullish().catch(undefined) })
      .nullish()
      .catch(undefined),
  })
  .transform(({ commit, ...build }) => ({ ...build, files: commit?.filesChanged ?? undefined }))

/** Parses a success of the service as its document promises it. @throws DocsError that names the field */
export function parse<S extends z.ZodType>(
  operation: string,
  schema: S,
  body: string,
): z.output<S> {
  const json = parseJson(body)
  if (json === undefined) {
    // Without what JSON.parse says about it, which quotes from the body.
    const detail = body === "" ? "an empty body" : "a body that is not JSON"
    throw new DocsError({ operation, fault: "broken_body", detail })
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".") || "the body"
  throw new DocsError({ operation, fault: "broken_body", detail: `${field}: ${issue?.message}` })
}
