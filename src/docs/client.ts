import { Agent, type Dispatcher } from "undici"
import type { Project } from "../config/projects.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { DocsApi } from "../ports/docs-api.ts"
import { parseJson } from "../text/json.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { analyticsReads } from "./analytics.ts"
import { type Answer, exchange } from "./exchange.ts"
import { answerFault, transportFault } from "./faults.ts"
import { parse } from "./parse.ts"
import { previewStatus, startedPreview } from "./previews.ts"
import {
  agentJobSchema,
  createdJobSchema,
  previewStatusSchema,
  startedPreviewSchema,
  visitorsPageSchema,
} from "./schema.ts"

export interface DocsClientOptions {
  baseUrl: string
  /** Path template of get-agent-job, which the API document leaves open. */
  jobPath: string
  /** Path template of a follow-up operation, where the deployment has one. */
  messagePath?: string | undefined
  /** One request from connect to the last byte, ms. */
  timeoutMs: number
  projects: readonly Project[]
}

/** Larger answers than this are not what the API document describes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** A thousand questions to the assistant come with their whole answers, which the parser drops. */
const MAX_TALKS_BYTES = 32 * 1024 * 1024
const CONNECTIONS = 32
/** More of a link is not kept: it is too long to be shown as one anyway. Code units. */
const LONGEST_LINK = 3000

/** What every request about a project has in common, worked out once as polls are many. */
interface Endpoint {
  /** The project's id as part of a path. */
  id: string
  headers: Readonly<Record<string, string>>
}

/** The documentation service over HTTP. Closes its connections when disposed. */
export class DocsClient implements DocsApi, AsyncDisposable {
  readonly sendMessage: DocsApi["sendMessage"]
  readonly assistant: DocsApi["assistant"]
  readonly searches: DocsApi["searches"]
  readonly thumbs: DocsApi["thumbs"]
  readonly #options: DocsClientOptions
  readonly #origin: string
  /** The base URL's own path, without a slash at its end. */
  readonly #prefix: string
  readonly #endpoints: ReadonlyMap<string, Endpoint>
  /** Reads share kept-alive connections: measured, 32 without pipelining carry the most. */
  readonly #reads: Agent
  /**
   * Creations get a fresh connection each. On a kept-alive one the service may hang up just as we
   * write, and then nobody can say whether the job exists.
   */
  readonly #writes: Agent
  readonly #talks: Agent
  readonly #secrets: SecretFilter

  /** @param secrets what no answer may bring in; applied to what was parsed, where escapes are gone */
  constructor(options: DocsClientOptions, secrets: SecretFilter) {
    this.#options = options
    this.#secrets = secrets
    const { origin, pathname } = new URL(options.baseUrl)
    this.#origin = origin
    this.#prefix = pathname.replace(/\/+$/, "")
    this.#endpoints = new Map(
      options.projects.map((project) => [project.name, endpointOf(project)]),
    )
    const timeouts = {
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      connectTimeout: Math.min(options.timeoutMs, 10_000),
      maxResponseSize: MAX_BODY_BYTES,
    }
    this.#reads = new Agent({ ...timeouts, connections: CONNECTIONS, pipelining: 1 })
    this.#writes = new Agent({ ...timeouts, connections: 8, pipelining: 0 })
    this.#talks = new Agent({ ...timeouts, connections: 4, maxResponseSize: MAX_TALKS_BYTES })
    const analytics = analyticsReads((operation, project, words) => {
      const { id, headers } = this.#endpoint(project)
      const path = `/v1/analytics/${id}/${operation}?${words.toString()}`
      return this.#exchange(operation, this.#talks, { method: "GET", path, headers })
    }, secrets)
    this.assistant = analytics.assistant
    this.searches = analytics.searches
    this.thumbs = analytics.thumbs
    const { messagePath } = options
    this.sendMessage = messagePath
      ? async (project, agentJobId, prompt) => {
          const path = fill(messagePath, this.#endpoint(project).id, agentJobId)
          const body = await this.#send("message", project, path, { prompt })
          return agentJobSchema.safeParse(parseJson(body)).data?.status
        }
      : undefined
  }

  async createJob(project: string, prompt: string) {
    const path = `/v2/agent/${this.#endpoint(project).id}/job`
    const body = await this.#send("create job", project, path, { prompt })
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
    const path = fill(this.#options.jobPath, this.#endpoint(project).id, agentJobId)
    const body = await this.#get("get job", project, path)
    const { status, prLink, source } = parse("get job", agentJobSchema, body)
    const branch = source?.ref
    return {
      status,
      prLink: this.#link(prLink),
      branch: branch && !this.#secrets.holds(branch) ? branch : undefined,
    }
  }

  async buildPreview(project: string, branch: string) {
    const path = `/v1/project/preview/${this.#endpoint(project).id}`
    const body = await this.#send("preview", project, path, { branch })
    return startedPreview(parse("preview", startedPreviewSchema, body), this.#secrets)
  }

  async previewStatus(project: string, statusId: string) {
    const path = `/v1/project/update-status/${encodeURIComponent(statusId)}`
    const body = await this.#get("update status", project, path)
    return previewStatus(parse("update status", previewStatusSchema, body), this.#secrets)
  }

  async visitors(project: string, query: Parameters<DocsApi["visitors"]>[1]) {
    const words = new URLSearchParams({
      dateFrom: query.dateFrom,
      dateTo: query.dateTo,
      limit: String(query.limit),
      offset: String(query.offset),
    })
    const path = `/v1/analytics/${this.#endpoint(project).id}/visitors?${words.toString()}`
    const page = parse("visitors", visitorsPageSchema, await this.#get("visitors", project, path))
    const { holds, clean } = this.#secrets
    if (!holds(page.visitors.map((row) => row.path).join("\n"))) return page
    return { ...page, visitors: page.visitors.map((row) => ({ ...row, path: clean(row.path) })) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#writes.destroy(), this.#talks.destroy()])
  }

  /** A link that repeats a secret is none. */
  #link(prLink: string | null | undefined): string | undefined {
    if (!prLink || this.#secrets.holds(prLink)) return undefined
    return prLink.slice(0, LONGEST_LINK)
  }

  #get(operation: string, project: string, path: string): Promise<string> {
    const { headers } = this.#endpoint(project)
    return this.#exchange(operation, this.#reads, { method: "GET", path, headers })
  }

  #send(operation: string, project: string, path: string, body: object): Promise<string> {
    const headers = { ...this.#endpoint(project).headers, "content-type": "application/json" }
    const request = { method: "POST", path, headers, body: JSON.stringify(body) } as const
    return this.#exchange(operation, this.#writes, request)
  }

  async #exchange(
    operation: string,
    dispatcher: Dispatcher,
    request: Dispatcher.DispatchOptions,
  ): Promise<string> {
    let answer: Answer
    try {
      // Origin and path apart: taking a URL to pieces costs a quarter of a whole poll.
      const at = { origin: this.#origin, path: this.#prefix + request.path }
      // The whole of it is bounded: the slot of the hour is stamped with this very bound, and a poll
      // whose answer trickles would hold up all others.
      answer = await exchange(dispatcher, { ...request, ...at }, this.#options.timeoutMs)
    } catch (cause) {
      throw transportFault(operation, cause)
    }
    const { status, headers, body } = answer
    if (status >= 200 && status < 300) return body
    throw answerFault(operation, status, headers, body, this.#secrets)
  }

  #endpoint(project: string): Endpoint {
    const endpoint = this.#endpoints.get(project)
    if (endpoint) return endpoint
    throw new DocsError({
      operation: "find project",
      fault: "not_configured",
      detail: `the project ${project} is not configured`,
    })
  }
}

function endpointOf({ id, apiKey }: Project): Endpoint {
  const headers = { authorization: `Bearer ${apiKey.reveal()}`, accept: "application/json" }
  return { id: encodeURIComponent(id), headers }
}

/** @param projectId as part of a path */
function fill(template: string, projectId: string, jobId: string): string {
  return template
    .replaceAll("{projectId}", projectId)
    .replaceAll("{jobId}", encodeURIComponent(jobId))
}
