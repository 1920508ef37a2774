import type { IncomingHttpHeaders } from "node:http"
import { z } from "zod"
import { boundedRetry, networkFault } from "../lib/http-client.ts"
import { parseAs, writeJson } from "../lib/json.ts"
import { truncate } from "../lib/truncate.ts"

/**
 * Reasons why a call to the service failed; the others are HTTP statuses (see `BY_STATUS`).
 * - `unreachable`: no connection, so the request was certainly not sent
 * - `interrupted`: no whole answer came (timeout, reset), so the effect is unknown
 * - `rate_limited`: HTTP 429, or not sent because the bot's own hourly analytics limit is used up
 * - `own_share`: not sent, because this reader has used half of that limit while others ask
 * - `not_configured`: not sent, because this process knows no such project
 * - `broken_body`: a success whose body does not match the API reference
 */
export const DOCS_FAULTS = [
  "unreachable",
  "interrupted",
  "rate_limited",
  "key_refused",
  "forbidden",
  "not_found",
  "bad_request",
  "server_error",
  "broken_body",
  "own_share",
  "not_configured",
] as const
export type DocsFault = (typeof DOCS_FAULTS)[number]

export class DocsError extends Error {
  override name = "DocsError"
  readonly fault: DocsFault
  readonly status: number | undefined
  /** Wait that the service, or the bot's own limit, asks for. */
  readonly retryAfterMs: number | undefined
  /** Shortened message from the service, a network error's code, or the bot's text; no secrets. */
  readonly detail: string | undefined

  constructor(
    facts: { operation: string } & Pick<DocsError, "fault"> &
      Partial<Pick<DocsError, "status" | "retryAfterMs" | "detail">>,
    options?: ErrorOptions,
  ) {
    const { operation, fault, status, detail } = facts
    const http = status ? ` (HTTP ${status})` : ""
    super(`${operation}: ${fault}${http}${detail ? `: ${detail}` : ""}`, options)
    this.fault = fault
    this.status = status
    this.retryAfterMs = facts.retryAfterMs
    this.detail = detail
  }
}

/** Returns a `DocsError` as a value, for callers that handle it. @throws any other error */
export function orDocsError(error: unknown): DocsError {
  if (error instanceof DocsError) return error
  throw error
}

export function transportFault(operation: string, cause: unknown): DocsError {
  const { code: detail, isUnsent } = networkFault(cause)
  const fault = isUnsent ? "unreachable" : "interrupted"
  return new DocsError({ operation, fault, detail }, { cause })
}

const BY_STATUS: Record<number, DocsFault> = {
  401: "key_refused",
  403: "forbidden",
  404: "not_found",
  429: "rate_limited",
}

/** Statuses of an optional operation that a deployment lacks or a plan excludes. */
export const ABSENT: ReadonlySet<number> = new Set([403, 404, 405, 501])

/** Returns the error of an operation that the deployment lacks. @throws any other error */
export function orAbsent(error: unknown): DocsError {
  if (error instanceof DocsError && ABSENT.has(error.status ?? 0)) return error
  throw error
}

export function answerFault(
  operation: string,
  { status, headers, body }: { status: number; headers: IncomingHttpHeaders; body: string },
  clean: (text: string) => string,
): DocsError {
  const other = status >= 400 && status < 500 ? "bad_request" : "server_error"
  return new DocsError({
    operation,
    status,
    fault: BY_STATUS[status] ?? other,
    retryAfterMs: parseRetryAfter(headers),
    detail: messageOf(body, clean),
  })
}

const errorBody = z.object({ error: z.string(), details: z.unknown().optional() })

/** Returns the service's own message. Ignores proxies' HTML pages, which do not help people. */
function messageOf(body: string, clean: (text: string) => string): string | undefined {
  const told = parseAs(errorBody, body)
  if (!told) return undefined
  const details = writeJson(told.details)
  const more = details === undefined ? "" : ` (${details})`
  // Cleans before it truncates, because the filter does not recognize half a secret.
  return truncate(clean(`${told.error}${more}`), 300)
}

/** Returns the wait in ms, by the server's clock if it sends its `Date` (RFC 9110, 6.6.1). */
function parseRetryAfter({ "retry-after": value, date }: IncomingHttpHeaders): number | undefined {
  if (!value) return undefined
  const now = Date.parse(date ?? "") || Date.now()
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? boundedRetry(ms) : undefined
}
