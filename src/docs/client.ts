import { DocsError } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { analyticsReads } from "./analytics.ts"
import { Connection, type ConnectionOptions } from "./connection.ts"
import { parse } from "./parse.ts"
import { previewStatus, startedPreview } from "./previews.ts"
import {
  agentJobSchema,
  createdJobSchema,
  previewStatusSchema,
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

/** The documentation service over HTTP. Closes its connections when disposed. */
export class DocsClient implements DocsApi, AsyncDisposable {
  readonly sendMessage: DocsApi["sendMessage"]
  readonly assistant: DocsApi["assistant"]
  readonly searches: DocsApi["searches"]
  readonly thumbs: DocsApi["thumbs"]
  readonly #jobPath: string
  readonly #service: Connection
  readonly #secrets: SecretFilter

  /** @param secrets what no answer may bring in; applied to what was parsed, where escapes are gone */
  constructor({ jobPath, messagePath, ...options }: DocsClientOptions, secrets: SecretFilter) {
    const service = new Connection(options, secrets)
    this.#service = service
    this.#jobPath = jobPath
    this.#secrets = secrets
    const analytics = analyticsReads((operation, project, words) => {
      const path = `/v1/analytics/${service.idOf(project)}/${operation}?${words.toString()}`
      return service.getLong(operation, project, path)
    }, secrets)
    this.assistant = analytics.assistant
    this.searches = analytics.searches
    this.thumbs = analytics.thumbs
    this.sendMessage = messagePath
      ? async (project, agentJobId, prompt) => {
          const path = fill(messagePath, service.idOf(project), agentJobId)
          const body = await service.post("message", project, path, { prompt })
          return agentJobSchema.safeParse(parseJson(body)).data?.status
        }
      : undefined
  }

  async createJob(project: string, prompt: string) {
    const path = `/v2/agent/${this.#service.idOf(project)}/job`
    const body = await this.#service.post("create job", project, path, { prompt })
    const { id, prLink } = parse("create job", createdJobSchema, body)
    if (this.#secrets.holds(id))
      throw new DocsError({
        operation: "create job",
        fault: "broken_body",
        detail: "id: repeats a secret",
      })
    return { id, prLink: this.#link(prLink) }
  }

  async getJob(project: string, agentJobId: string) {
    const path = fill(this.#jobPath, this.#service.idOf(project), agentJobId)
    const body = await this.#service.get("get job", project, path)
    const { status, prLink, source } = parse("get job", agentJobSchema, body)
    const branch = source?.ref
    return {
      status,
      prLink: this.#link(prLink),
      branch: branch && !this.#secrets.holds(branch) ? branch : undefined,
    }
  }

  async buildPreview(project: string, branch: string) {
    const path = `/v1/project/preview/${this.#service.idOf(project)}`
    const body = await this.#service.post("preview", project, path, { branch })
    return startedPreview(parse("preview", startedPreviewSchema, body), this.#secrets)
  }

  async previewStatus(project: string, statusId: string) {
    const path = `/v1/project/update-status/${encodeURIComponent(statusId)}`
    const body = await this.#service.get("update status", project, path)
    return previewStatus(parse("update status", previewStatusSchema, body), this.#secrets)
  }

  async visitors(project: string, query: Parameters<DocsApi["visitors"]>[1]) {
    const words = new URLSearchParams({
      dateFrom: query.dateFrom,
      dateTo: query.dateTo,
      limit: String(query.limit),
      offset: String(query.offset),
    })
    const path = `/v1/analytics/${this.#service.idOf(project)}/visitors?${words.toString()}`
    const page = parse(
      "visitors",
      visitorsPageSchema,
      await this.#service.get("visitors", project, path),
    )
    const { holds, clean } = this.#secrets
    if (!holds(page.visitors.map((row) => row.path).join("\n"))) return page
    return { ...page, visitors: page.visitors.map((row) => ({ ...row, path: clean(row.path) })) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]()
  }

  /** A link that repeats a secret is none. */
  #link(prLink: string | null | undefined): string | undefined {
    if (!prLink || this.#secrets.holds(prLink)) return undefined
    return prLink.slice(0, LONGEST_LINK)
  }
}

/** @param projectId as part of a path */
function fill(template: string, projectId: string, jobId: string): string {
  return template
    .replaceAll("{projectId}", projectId)
    .replaceAll("{jobId}", encodeURIComponent(jobId))
}
