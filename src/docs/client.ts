import { DocsError } from "../errors/docs-error.ts"
import type { DocsApi, VisitorsPage } from "../ports/docs-api.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { analyticsReads } from "./analytics.ts"
import { Connection, type ConnectionOptions } from "./connection.ts"
import { previewStatus, startedPreview } from "./previews.ts"
import {
  agentJobSchema,
  createdJobSchema,
  parse,
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

/** Told of each request, in the words of the metrics: how long it took, and the error that it ended in. */
type OnRequest = (operation: string, ms: number, end: { error?: unknown }) => void

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
  readonly #onRequest: OnRequest

  /** @param secrets what no answer may bring in; applied to what was parsed, where escapes are gone */
  constructor(
    { jobPath, messagePath, ...options }: DocsClientOptions,
    secrets: SecretFilter,
    onRequest: OnRequest = () => {},
  ) {
    const service = new Connection(options, secrets)
    this.#service = service
    this.#jobPath = jobPath
    this.#secrets = secrets
    this.#onRequest = onRequest
    const analytics = analyticsReads((operation, project, words) => {
      const path = `/v1/analytics/${service.idOf(project)}/${operation}?${words.toString()}`
      return service.getLong(operation, project, path)
    }, secrets)
    this.assistant = (...of) => this.#told("assistant", () => analytics.assistant(...of))
    this.searches = (...of) => this.#told("searches", () => analytics.searches(...of))
    this.thumbs = (...of) => this.#told("thumbs", () => analytics.thumbs(...of))
    this.sendMessage = messagePath
      ? (project, agentJobId, prompt) =>
          this.#told("message", async () => {
            const path = fill(messagePath, service.idOf(project), agentJobId)
            const body = await service.post("message", project, path, { prompt })
            return agentJobSchema.safeParse(parseJson(body)).data?.status
          })
      : undefined
  }

  createJob(project: string, prompt: string) {
    return this.#told("create_job", async () => {
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
    })
  }

  getJob(project: string, agentJobId: string) {
    return this.#told("get_job", async () => {
      const path = fill(this.#jobPath, this.#service.idOf(project), agentJobId)
      const body = await this.#service.get("get job", project, path)
      const { status, prLink, source } = parse("get job", agentJobSchema, body)
      const branch = source?.ref
      return {
        status,
        prLink: this.#link(prLink),
        branch: branch && !this.#secrets.holds(branch) ? branch : undefined,
      }
    })
  }

  buildPreview(project: string, branch: string) {
    return this.#told("preview", async () => {
      const path = `/v1/project/preview/${this.#service.idOf(project)}`
      const body = await this.#service.post("preview", project, path, { branch })
      return startedPreview(parse("preview", startedPreviewSchema, body), this.#secrets)
    })
  }

  previewStatus(project: string, statusId: string) {
    return this.#told("update_status", async () => {
      const path = `/v1/project/update-status/${encodeURIComponent(statusId)}`
      const body = await this.#service.get("update status", project, path)
      return previewStatus(parse("update status", previewStatusSchema, body), this.#secrets)
    })
  }

  visitors(project: string, query: Parameters<DocsApi["visitors"]>[1]) {
    const { dateFrom, dateTo, limit, offset } = query
    const page = { dateFrom, dateTo, limit: String(limit), offset: String(offset) }
    return this.#told("visitors", async () => {
      const words = new URLSearchParams(page).toString()
      const path = `/v1/analytics/${this.#service.idOf(project)}/visitors?${words}`
      const body = await this.#service.get("visitors", project, path)
      return cleanPage(parse("visitors", visitorsPageSchema, body), this.#secrets)
    })
  }

  async #told<T>(operation: string, request: () => Promise<T>): Promise<T> {
    const started = performance.now()
    const tell: (end: { error?: unknown }) => void = (end) =>
      this.#onRequest(operation, performance.now() - started, end)
    try {
      const answer = await request()
      tell({})
      return answer
    } catch (error) {
      tell({ error })
      throw error
    }
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

/** Without any secret that a path of it repeats. */
function cleanPage(page: VisitorsPage, { holds, clean }: SecretFilter): VisitorsPage {
  const { visitors } = page
  if (!holds(visitors.map(({ path }) => path).join("\n"))) return page
  return { ...page, visitors: visitors.map((row) => ({ ...row, path: clean(row.path) })) }
}

/** @param projectId as part of a path */
function fill(template: string, projectId: string, jobId: string): string {
  return template
    .replaceAll("{projectId}", projectId)
    .replaceAll("{jobId}", encodeURIComponent(jobId))
}
