import { DocsError } from "../errors/docs-error.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { truncate } from "../text/truncate.ts"
import { analyticsReads, type DaysQuery } from "./analytics.ts"
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
  /** Path template of a follow-up operation, where the deployment has one. */
  messagePath?: string | undefined
}

/** More of a link is not kept: it is too long to be shown as one anyway. Code units. */
const LONGEST_LINK = 3000
/** More of what a build says is not shown; code points. */
const LONGEST_SUMMARY = 500

/** Every method throws only `DocsError`. */
export type DocsApi = ReturnType<typeof createDocsClient>

/**
 * The documentation service over HTTP. Closes its connections when disposed.
 * @param secrets what no answer may bring in; applied to what was parsed, where escapes are gone
 */
export function createDocsClient(
  { jobPath, messagePath, ...options }: DocsClientOptions,
  secrets: SecretFilter,
  onRequest: OnRequest = () => {},
) {
  const { call, close } = createConnection(options, secrets, onRequest)

  /** Anything that repeats a secret is left out: a link, a branch, an id. */
  const harmless = (text: string | null | undefined) =>
    text && !secrets.holds(text) ? text : undefined
  const link = (prLink: string | null | undefined) => harmless(prLink)?.slice(0, LONGEST_LINK)
  const fill = (template: string, id: string, jobId: string) =>
    template.replaceAll("{projectId}", id).replaceAll("{jobId}", encodeURIComponent(jobId))

  return {
    /** Not idempotent: the service has no idempotency key, so a lost answer is never retried. */
    createJob: (project: string, prompt: string) =>
      call(
        "create_job",
        project,
        (id) => ({ path: `/v2/agent/${id}/job`, body: { prompt } }),
        (body) => {
          const { id, prLink } = parse("create_job", createdJobSchema, body)
          if (harmless(id)) return { id, prLink: link(prLink) }
          const detail = "id: repeats a secret"
          throw new DocsError({ operation: "create_job", fault: "broken_body", detail })
        },
      ),

    getJob: (project: string, agentJobId: string) =>
      call(
        "get_job",
        project,
        (id) => ({ path: fill(jobPath, id, agentJobId) }),
        (body) => {
          const { status, prLink, source } = parse("get_job", agentJobSchema, body)
          return { status, prLink: link(prLink), branch: harmless(source?.ref) }
        },
      ),

    /** Undefined where messages are turned off. No more idempotent than a creation. */
    sendMessage: messagePath
      ? (project: string, agentJobId: string, prompt: string) =>
          call(
            "message",
            project,
            (id) => ({ path: fill(messagePath, id, agentJobId), body: { prompt } }),
            (body) => agentJobSchema.safeParse(parseJson(body)).data?.status,
          )
      : undefined,

    /** Builds a branch, or builds it again. */
    buildPreview: (project: string, branch: string) =>
      call(
        "preview",
        project,
        (id) => ({ path: `/v1/project/preview/${id}`, body: { branch } }),
        (body): StartedPreview => {
          const { statusId, previewUrl } = parse("preview", startedPreviewSchema, body)
          return { statusId: harmless(statusId), url: harmless(previewUrl) }
        },
      ),

    previewStatus: (project: string, statusId: string) =>
      call(
        "update_status",
        project,
        () => ({ path: `/v1/project/update-status/${encodeURIComponent(statusId)}` }),
        (body): PreviewStatus => {
          const { summary, ...build } = parse("update_status", previewStatusSchema, body)
          const words = summary ? truncate(secrets.clean(summary), LONGEST_SUMMARY) : undefined
          return { ...build, summary: words }
        },
      ),

    visitors(project: string, query: DaysQuery & { offset: number }) {
      const { dateFrom, dateTo, limit, offset } = query
      const page = { dateFrom, dateTo, limit: String(limit), offset: String(offset) }
      const words = new URLSearchParams(page).toString()
      const request = (id: string) => ({ path: `/v1/analytics/${id}/visitors?${words}` })
      return call("visitors", project, request, (body) => {
        const read = parse("visitors", visitorsPageSchema, body)
        const clean = ({ path: of, ...row }: (typeof read.visitors)[number]) => ({
          path: secrets.clean(of),
          ...row,
        })
        return { ...read, visitors: read.visitors.map(clean) }
      })
    },

    /** The three are optional: a deployment without one answers 404, 403 or 501. */
    ...analyticsReads(call, secrets),

    [Symbol.asyncDispose]: close,
  }
}
