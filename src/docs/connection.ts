import { EnvHttpProxyAgent } from "undici"
import type { KeyedProject } from "../config/projects.ts"
import { DocsError } from "../errors/docs-error.ts"
import type { SecretFilter } from "../text/secret-filter.ts"
import { answerFault, transportFault } from "./faults.ts"

type ServiceProject = Pick<KeyedProject, "key" | "id" | "apiKey">

export interface ConnectionOptions {
  baseUrl: string
  /** The limit for one request, from connecting to the last byte, ms. */
  timeoutMs: number
  projects: readonly ServiceProject[]
}

interface ServiceRequest {
  /** `{projectId}` stands for the project's id. */
  path: string
  /** Present if the request has an effect. */
  body?: object
}

/** Reports each request in the metrics' terms: how long it took, and the error that it ended in, if it did. */
export type OnRequest = (operation: string, project: string, ms: number, error?: unknown) => void

/** Makes one request and reads the body of its success. Throws DocsError. */
export type CallService = <T>(
  operation: string,
  project: string,
  request: ServiceRequest,
  read: (body: string) => T,
) => Promise<T>

/**
 * The largest answer: a thousand questions to the assistant come with the assistant's whole texts,
 * which the parser drops.
 */
const MAX_BODY_BYTES = 32 * 1024 * 1024
const CONNECTIONS = 32
/**
 * The bot keeps an idle connection this long, ms, unless the service names a time; load balancers
 * commonly close one after a minute. A new one costs a handshake of TLS, which takes four times the
 * CPU of the poll itself.
 */
const IDLE_CONNECTION_MS = 45_000

/**
 * Makes requests to the service with a project's key and returns their bodies. @param secrets texts
 * that no error may repeat
 */
export function createConnection(
  { baseUrl, timeoutMs, projects }: ConnectionOptions,
  secrets: SecretFilter,
  onRequest: OnRequest,
) {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, "")
  const timeouts = {
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    // Ends well before the limit of the whole request, because a request that did not connect was
    // certainly not sent.
    connectTimeout: Math.min(timeoutMs / 2, 10_000),
    maxResponseSize: MAX_BODY_BYTES,
  }
  /** Reads share kept-alive connections: measured, 32 without pipelining carry the most. */
  const kept = { connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: IDLE_CONNECTION_MS }
  const reads = new EnvHttpProxyAgent({ ...timeouts, ...kept })
  /**
   * Creations get a fresh connection each. The service may close a kept-alive one just as the bot
   * writes, and then nobody knows whether the job exists.
   */
  const writes = new EnvHttpProxyAgent({ ...timeouts, connections: 8, pipelining: 0 })

  function find(project: string): ServiceProject {
    const found = projects.find(({ key }) => key === project)
    if (found) return found
    throw new DocsError({
      operation: "find project",
      fault: "not_configured",
      detail: `the project ${project} is not configured`,
    })
  }

  async function answerTo({ id, apiKey }: ServiceProject, { path, body }: ServiceRequest) {
    const { statusCode, ...answer } = await (body ? writes : reads).request({
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${apiKey.reveal()}`,
        accept: "application/json",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      body: body ? JSON.stringify(body) : null,
      origin,
      path: prefix + path.replaceAll("{projectId}", encodeURIComponent(id)),
      // Limits the whole request: the slot's stamp relies on this limit, and a poll with a slow
      // answer would delay all others.
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: statusCode, headers: answer.headers, body: await answer.body.text() }
  }

  /** @returns the body of a success */
  async function exchange(
    operation: string,
    project: string,
    request: ServiceRequest,
  ): Promise<string> {
    const found = find(project)
    const { status, headers, body } = await answerTo(found, request).catch((cause: unknown) => {
      throw transportFault(operation, cause)
    })
    if (status >= 200 && status < 300) return body
    // Services repeat the id, and an operator may have put a key in its place.
    const clean = (text: string) => secrets.clean(text).replaceAll(found.id, "[project]")
    throw answerFault(operation, status, headers, body, clean)
  }

  const call: CallService = async (operation, project, request, read) => {
    const started = performance.now()
    const told = (error?: unknown) =>
      onRequest(operation, project, performance.now() - started, error)
    try {
      const answer = read(await exchange(operation, project, request))
      told()
      return answer
    } catch (error) {
      told(error)
      throw error
    }
  }

  return {
    call,
    close: async (): Promise<void> => {
      await Promise.all([reads.destroy(), writes.destroy()])
    },
  }
}
