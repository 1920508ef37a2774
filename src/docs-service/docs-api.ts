import { stringify } from "node:querystring"
import { z } from "zod"
import { type SecretFilter, wasCleaned } from "../lib/secrets.ts"
import { assistantSchema, feedbackSchema, searchesSchema, thumbsSchema } from "./reader-signals.ts"
import { Connection, type ConnectionOptions, type OnRequest } from "./send-request.ts"

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

const agentJobSchema = z.object({
  // "A client polls until the status is completed, archived or failed": until then it is active.
  status: oneOf(ENDED, "active"),
  prLink: link,
})

const createdJobSchema = z.object({
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
const messageSchema = agentJobSchema
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

interface DocsClientOptions extends ConnectionOptions {
  /** Path template of get-agent-job, which the API reference does not specify. */
  jobPath: string
  /** Path template of the follow-up operation; absent if `DOCS_MESSAGE_PATH` is `off`. */
  messagePath?: string | undefined
}

interface ReportQuery {
  /** First UTC day of the range, as `YYYY-MM-DD`. */
  dateFrom: string
  /** First UTC day after the range, as `YYYY-MM-DD`. */
  dateTo: string
  limit: number
  offset?: number
  /** Status of feedback; nobody has handled `pending` entries. */
  status?: "pending"
  cursor?: string
}

/** Client for the documentation service. Every method throws only `DocsError`. */
export type DocsApi = ReturnType<typeof createDocsClient>

export function createDocsClient(
  { jobPath, messagePath, ...options }: DocsClientOptions,
  secrets: SecretFilter,
  onRequest: OnRequest = () => {},
) {
  const connection = new Connection(options, secrets, onRequest)
  const pathOf = (template: string, jobId: string) =>
    template.replaceAll("{jobId}", encodeURIComponent(jobId))

  function report<S extends z.ZodType>(operation: string, schema: S, name = operation) {
    return (project: string, query: ReportQuery) => {
      const path = `/v1/analytics/{projectId}/${name}?${stringify({ ...query })}`
      return connection.call(operation, project, { path }, schema)
    }
  }

  return {
    /** Starts a job. Without an idempotency key, the bot never repeats an unanswered call. */
    createJob: (project: string, prompt: string) => {
      const request = { path: "/v2/agent/{projectId}/job", body: { prompt } }
      return connection.call("create_job", project, request, createdJobSchema)
    },

    getJob: (project: string, jobId: string) =>
      connection.call("get_job", project, { path: pathOf(jobPath, jobId) }, agentJobSchema),

    /** Sends a follow-up; undefined if `DOCS_MESSAGE_PATH` is `off`. Not idempotent either. */
    sendMessage: messagePath
      ? (project: string, jobId: string, prompt: string) => {
          const request = { path: pathOf(messagePath, jobId), body: { prompt } }
          return connection.call("message", project, request, messageSchema)
        }
      : undefined,

    visitors: report("visitors", visitorsPageSchema),

    // A deployment without one of these answers 404, 403 or 501.
    assistant: report("assistant", assistantSchema),
    searches: report("searches", searchesSchema),
    feedback: report("feedback", feedbackSchema),
    thumbs: report("thumbs", thumbsSchema, "feedback/by-page"),

    [Symbol.asyncDispose]: () => connection.close(),
  }
}
