import { DocsError } from "../errors/docs-error.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { truncate } from "../text/truncate.ts"
import { analyticsReads, analyticsRequest, type DaysQuery } from "./analytics.ts"
import { type ConnectionOptions, createConnection, type OnRequest } from "./connection.ts"
import {
  agentJobSchema,
  createdJobSchema,
  type PreviewStatus,
  parse,
  previewStatusSchema,
  type StartedPreview,
  startedPreviewSchema,
  visitorsPageSchema,
} from "./schema.ts"

interface DocsClientOptions extends ConnectionOptions {
  /** Path template of get-agent-job, which the API document leaves open. */
  jobPath: string
  /** Path template of the follow-up operation, if the deployment has one. */
  messagePath?: string | undefined
}

/** The longest stored link, code units; the bot could not show a longer one. */
const LONGEST_LINK = 3000
/** The longest shown summary of a build, code points. */
const LONGEST_SUMMARY = 500

/** Every method throws only `DocsError`. */
export type DocsApi = ReturnType<typeof createDocsClient>

/**
 * Makes a client of the documentation service, which closes its connections when disposed.
 * @param secrets texts to remove from answers, after parsing has resolved escapes
 */
export function createDocsClient(
  { jobPath, messagePath, ...options }: DocsClientOptions,
  secrets: SecretFilter,
  onRequest: OnRequest = () => {},
) {
  const { call, close } = createConnection(options, secrets, onRequest)

  /** Drops a link, a branch or an id that repeats a secret. */
  const harmless = (text: string | null | undefined) =>
    text && !secrets.holds(text) ? text : undefined
  const link = (prLink: string | null | undefined) => harmless(prLink)?.slice(0, LONGEST_LINK)
  const idOf = (jobId: string) => encodeURIComponent(jobId)

  return {
    /**
     * Creates a job. Not idempotent: the service has no idempotency key, so the bot never retries
     * after a lost answer.
     */
    async createJob(project: string, prompt: string) {
      const request = { path: "/v2/agent/{projectId}/job", body: { prompt } }
      return call("create_job", project, request, (body) => {
        const { id, prLink } = parse("create_job", createdJobSchema, body)
        if (harmless(id)) return { id, prLink: link(prLink) }
        const detail = "id: repeats a secret"
        throw new DocsError({ operation: "create_job", fault: "broken_body", detail })
      })
    },

    async getJob(project: string, agentJobId: string) {
      const request = { path: jobPath.replaceAll("{jobId}", idOf(agentJobId)) }
      return call("get_job", project, request, (body) => {
        const { status, prLink, source } = parse("get_job", agentJobSchema, body)
        return { status, prLink: link(prLink), branch: harmless(source?.ref) }
      })
    },

    /** Sends a follow-up; absent if messages are turned off. Not idempotent either. */
    sendMessage: messagePath
      ? async (project: string, agentJobId: string, prompt: string) => {
          const path = messagePath.replaceAll("{jobId}", idOf(agentJobId))
          // The service accepted the message even if its answer lacks the job's status.
          const read = (body: string) => agentJobSchema.safeParse(parseJson(body)).data?.status
          return call("message", project, { path, body: { prompt } }, read)
        }
      : undefined,

    /** Builds a branch, or builds it again. */
    async buildPreview(project: string, branch: string): Promise<StartedPreview> {
      const request = { path: "/v1/project/preview/{projectId}", body: { branch } }
      return call("preview", project, request, (body) => {
        const { statusId, previewUrl } = parse("preview", startedPreviewSchema, body)
        return { statusId: harmless(statusId), url: harmless(previewUrl) }
      })
    },

    async previewStatus(project: string, statusId: string): Promise<PreviewStatus> {
      const request = { path: `/v1/project/update-status/${idOf(statusId)}` }
      return call("update_status", project, request, (body) => {
        const { summary, ...build } = parse("update_status", previewStatusSchema, body)
        const words = summary ? truncate(secrets.clean(summary), LONGEST_SUMMARY) : undefined
        return { ...build, summary: words }
      })
    },

    async visitors(project: string, query: DaysQuery & { offset: number }) {
      return call("visitors", project, analyticsRequest("visitors", query), (body) => {
        const { visitors, ...page } = parse("visitors", visitorsPageSchema, body)
        const clean = visitors.map((row) => ({ ...row, path: secrets.clean(row.path) }))
        return { ...page, visitors: clean }
      })
    },

    /** The three are optional: a deployment without one answers 404, 403 or 501. */
    ...analyticsReads(call, secrets),

    [Symbol.asyncDispose]: close,
  }
}
