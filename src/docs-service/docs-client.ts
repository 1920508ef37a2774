import { stringify } from "node:querystring"
import type { z } from "zod"
import type { SecretFilter } from "../lib/secret-filter.ts"
import { assistantSchema, feedbackSchema, searchesSchema, thumbsSchema } from "./reader-signals.ts"
import {
  agentJobSchema,
  createdJobSchema,
  messageSchema,
  visitorsPageSchema,
} from "./response-shapes.ts"
import { Connection, type ConnectionOptions, type OnRequest } from "./service-connection.ts"

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
