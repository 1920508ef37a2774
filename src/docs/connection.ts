import type { IncomingHttpHeaders } from "node:http"
import { type Dispatcher, EnvHttpProxyAgent } from "undici"
import type { KeyedProject } from "../config/projects.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { answerFault, transportFault } from "./faults.ts"

export interface ConnectionOptions {
  baseUrl: string
  /** One request from connect to the last byte, ms. */
  timeoutMs: number
  projects: readonly KeyedProject[]
}

/** Larger answers than this are not what the API document describes. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** A thousand questions to the assistant come with their whole answers, which the parser drops. */
const MAX_TALKS_BYTES = 32 * 1024 * 1024
const CONNECTIONS = 32
/**
 * An idle connection serves the next poll for so long, ms, unless the service says how long it keeps one: less
 * than the minute after which load balancers commonly close it. A new one costs a handshake of TLS, which
 * takes four times the CPU of the poll itself.
 */
const IDLE_CONNECTION_MS = 45_000

/** What every request about a project has in common, worked out once as polls are many. */
interface Endpoint {
  /** The project's id as part of a path. */
  id: string
  headers: Readonly<Record<string, string>>
}

/** Requests to the service with a project's key, each answered with its body. All throw DocsError. */
export class Connection implements AsyncDisposable {
  readonly #timeoutMs: number
  readonly #origin: string
  /** The base URL's own path, without a slash at its end. */
  readonly #prefix: string
  readonly #endpoints: ReadonlyMap<string, Endpoint>
  /** Reads share kept-alive connections: measured, 32 without pipelining carry the most. */
  readonly #reads: EnvHttpProxyAgent
  /**
   * Creations get a fresh connection each. On a kept-alive one the service may hang up just as we
   * write, and then nobody can say whether the job exists.
   */
  readonly #writes: EnvHttpProxyAgent
  readonly #talks: EnvHttpProxyAgent
  readonly #secrets: SecretFilter

  /** @param secrets what no error may repeat */
  constructor({ baseUrl, timeoutMs, projects }: ConnectionOptions, secrets: SecretFilter) {
    this.#timeoutMs = timeoutMs
    this.#secrets = secrets
    const { origin, pathname } = new URL(baseUrl)
    this.#origin = origin
    this.#prefix = pathname.replace(/\/+$/, "")
    this.#endpoints = new Map(
      projects.flatMap((project) => {
        const endpoint = endpointOf(project)
        return [[project.key, endpoint] as const, [project.name, endpoint] as const]
      }),
    )
    const timeouts = {
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      // Well before the whole request is given up: one that did not connect was certainly not sent.
      connectTimeout: Math.min(timeoutMs / 2, 10_000),
      maxResponseSize: MAX_BODY_BYTES,
    }
    const kept = { connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: IDLE_CONNECTION_MS }
    this.#reads = new EnvHttpProxyAgent({ ...timeouts, ...kept })
    this.#writes = new EnvHttpProxyAgent({ ...timeouts, connections: 8, pipelining: 0 })
    this.#talks = new EnvHttpProxyAgent({
      ...timeouts,
      connections: 4,
      maxResponseSize: MAX_TALKS_BYTES,
    })
  }

  /** The project's id as part of a path. */
  idOf(project: string): string {
    return this.#endpoint(project).id
  }

  get(operation: string, project: string, path: string): Promise<string> {
    return this.#read(this.#reads, operation, project, path)
  }

  /** Of what may be long. */
  getLong(operation: string, project: string, path: string): Promise<string> {
    return this.#read(this.#talks, operation, project, path)
  }

  /** What has an effect. */
  post(operation: string, project: string, path: string, body: object): Promise<string> {
    const headers = { ...this.#endpoint(project).headers, "content-type": "application/json" }
    const request = { method: "POST", path, headers, body: JSON.stringify(body) } as const
    return this.#exchange(operation, this.#writes, request)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#writes.destroy(), this.#talks.destroy()])
  }

  #read(
    agent: EnvHttpProxyAgent,
    operation: string,
    project: string,
    path: string,
  ): Promise<string> {
    const { headers } = this.#endpoint(project)
    return this.#exchange(operation, agent, { method: "GET", path, headers })
  }

  async #exchange(
    operation: string,
    dispatcher: Dispatcher,
    request: Pick<Dispatcher.RequestOptions, "method" | "path" | "headers" | "body">,
  ): Promise<string> {
    let answer: { status: number; headers: IncomingHttpHeaders; body: string }
    try {
      const { statusCode, headers, body } = await dispatcher.request({
        ...request,
        origin: this.#origin,
        path: this.#prefix + request.path,
        // The whole of it is bounded: the slot of the hour is stamped with this very bound, and a poll
        // whose answer trickles would hold up all others.
        signal: AbortSignal.timeout(this.#timeoutMs),
      })
      answer = { status: statusCode, headers, body: await body.text() }
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

function endpointOf({ id, apiKey }: KeyedProject): Endpoint {
  const headers = { authorization: `Bearer ${apiKey.reveal()}`, accept: "application/json" }
  return { id: encodeURIComponent(id), headers }
}
