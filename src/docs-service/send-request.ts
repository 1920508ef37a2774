import { EnvHttpProxyAgent } from "undici"
import type { z } from "zod"
import { decompressed } from "../lib/decompress.ts"
import { parseCleaned, type Secret, type SecretFilter } from "../lib/secrets.ts"
import { answerFault, DocsError, transportFault } from "./docs-error.ts"

/** Project at the service; `key` names it in Redis and to callers, `id` in paths. */
interface ServiceProject {
  key: string
  id: string
  apiKey: Secret
}

export interface ConnectionOptions {
  baseUrl: string
  /** Time limit for one request, from connecting to the last byte. */
  timeoutMs: number
  projects: readonly ServiceProject[]
}

interface ServiceRequest {
  /** Path and query, with `{projectId}` in place of the project's id. */
  path: string
  /** JSON body of a POST; a request without one is a GET. */
  body?: object
}

/** Receives the duration of each request in ms, and its error if it failed. */
export type OnRequest = (operation: string, ms: number, error?: unknown) => void

/** Maximum size of an answer: up to a thousand questions come with the assistant's answers. */
const MAX_BODY_BYTES = 32 * 1024 * 1024
/** Maximum idle time of a connection; load balancers commonly close one after a minute. */
const IDLE_CONNECTION_MS = 45_000

/** Client that uses each project's key and removes secrets from answers and errors. */
export class Connection {
  readonly #projects: ConnectionOptions["projects"]
  readonly #timeoutMs: number
  readonly #secrets: SecretFilter
  readonly #onRequest: OnRequest
  readonly #origin: string
  readonly #prefix: string
  readonly #reads: EnvHttpProxyAgent
  readonly #writes: EnvHttpProxyAgent

  constructor(
    { baseUrl, timeoutMs, projects }: ConnectionOptions,
    secrets: SecretFilter,
    onRequest: OnRequest,
  ) {
    const { origin, pathname } = new URL(baseUrl)
    this.#projects = projects
    this.#timeoutMs = timeoutMs
    this.#secrets = secrets
    this.#onRequest = onRequest
    this.#origin = origin
    this.#prefix = pathname.replace(/\/+$/, "")
    const options = {
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      // Ends well before the limit of the whole request, so that a slow connection counts as one
      // that failed: its request was certainly not sent.
      connectTimeout: Math.min(timeoutMs / 2, 10_000),
      maxResponseSize: MAX_BODY_BYTES,
      keepAliveTimeout: IDLE_CONNECTION_MS,
    }
    // Reads share kept-alive connections; 32 without pipelining had the best measured throughput.
    this.#reads = new EnvHttpProxyAgent({ ...options, connections: 32, pipelining: 1 })
    // Each POST gets a new connection, because the service may close a kept-alive one just as the
    // bot writes, and then the bot cannot know whether the job exists.
    this.#writes = new EnvHttpProxyAgent({ ...options, connections: 8, pipelining: 0 })
  }

  /** Makes one request and parses the body of a successful answer. @throws DocsError */
  async call<S extends z.ZodType>(
    operation: string,
    project: string,
    request: ServiceRequest,
    schema: S,
  ): Promise<z.output<S>> {
    const started = performance.now()
    let failure: unknown
    try {
      return this.#parse(operation, schema, await this.#exchange(operation, project, request))
    } catch (error) {
      failure = error
      throw error
    } finally {
      this.#onRequest(operation, performance.now() - started, failure)
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.destroy(), this.#writes.destroy()])
  }

  async #exchange(operation: string, project: string, request: ServiceRequest): Promise<string> {
    const found = this.#projects.find(({ key }) => key === project)
    if (!found) {
      const detail = `the project ${project} isn't configured`
      throw new DocsError({ operation, fault: "not_configured", detail })
    }
    const answer = await this.#send(found, request).catch((cause: unknown) => {
      throw transportFault(operation, cause)
    })
    if (answer.status >= 200 && answer.status < 300) return answer.body
    // A service may repeat the project's id, and an operator may have put a key in its place.
    const clean = (text: string) => this.#secrets.clean(text).replaceAll(found.id, "[project]")
    throw answerFault(operation, answer, clean)
  }

  async #send({ id, apiKey }: ServiceProject, { path, body }: ServiceRequest) {
    const answer = await (body ? this.#writes : this.#reads).request({
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${apiKey.reveal()}`,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : null,
      origin: this.#origin,
      path: this.#prefix + path.replaceAll("{projectId}", encodeURIComponent(id)),
      // Limits the whole request: the times in the rolling-hour log rely on this limit, and one
      // slow poll would hold up its whole pass.
      signal: AbortSignal.timeout(this.#timeoutMs),
    })
    const { statusCode: status, headers } = answer
    const bytes = Buffer.from(await answer.body.arrayBuffer())
    const plain = await decompressed(bytes, headers["content-encoding"], MAX_BODY_BYTES)
    return { status, headers, body: new TextDecoder().decode(plain) }
  }

  /** Removes secrets from a body and parses it. @throws DocsError that names the invalid field */
  #parse<S extends z.ZodType>(operation: string, schema: S, body: string): z.output<S> {
    const json = parseCleaned(this.#secrets, body)
    const parsed = schema.safeParse(json)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    // Leaves out the message of JSON.parse, which quotes the body.
    const notJson = body === "" ? "an empty body" : "a body that isn't JSON"
    const invalid = `${issue?.path.join(".") || "the body"}: ${issue?.message}`
    const detail = json === undefined ? notJson : invalid
    throw new DocsError({ operation, fault: "broken_body", detail })
  }
}
