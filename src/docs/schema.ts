import { z } from "zod"
import { DocsError } from "../errors/docs-error.ts"
import { parseJson } from "../text/json.ts"

/** The fields of the service's job that a poll needs. */
export interface AgentJob {
  /** Reads every status of a job that has not ended as "active". */
  status: "active" | (typeof ENDED)[number]
  prLink?: string | undefined
  /** The agent's branch, if the service reports it. */
  branch?: string | undefined
}

/** The longest branch name, code units; on most systems Git accepts no longer ones. */
const LONGEST_BRANCH = 255
const ENDED = ["completed", "archived", "failed"] as const
/** The longest id, code units; ids become part of URLs. */
const LONGEST_ID = 500
/**
 * Answers of the documentation service, as its API document gives them (sections 2.1 and 4.2).
 * Unknown extra fields are tolerated. The schemas require only the fields that the bot needs: some
 * deployments leave `source.ref` null, and the bot must not lose a job over an unused field.
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

/** A new job. The bot needs only its id, because the first poll reads its status. */
export const createdJobSchema = z.object({
  id: z.string().min(1).max(LONGEST_ID),
  prLink: z.string().nullish().catch(undefined),
})

/** Unique visitors. The service deduplicates `total`, so it is not human + ai. */
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

/** A build of a branch: the id to poll it with, and the URL to see it. */
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
    // The bot polls a build that has not ended again, whatever the service calls its state.
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

/** Parses the service's success answer. @throws DocsError that names the invalid field */
export function parse<S extends z.ZodType>(
  operation: string,
  schema: S,
  body: string,
): z.output<S> {
  const json = parseJson(body)
  if (json === undefined) {
    // Leaves out the message of JSON.parse, which quotes the body.
    const detail = body === "" ? "an empty body" : "a body that is not JSON"
    throw new DocsError({ operation, fault: "broken_body", detail })
  }
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".") || "the body"
  throw new DocsError({ operation, fault: "broken_body", detail: `${field}: ${issue?.message}` })
}
