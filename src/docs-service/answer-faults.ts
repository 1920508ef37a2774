import type { IncomingHttpHeaders } from "node:http"
import { z } from "zod"
import { boundedRetry, networkFault } from "../lib/http-client.ts"
import { parseJson, writeJson } from "../lib/json.ts"
import { truncate } from "../lib/truncate.ts"
import { DocsError, type DocsFault } from "./docs-error.ts"

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
  const { data } = errorBody.safeParse(parseJson(body))
  if (!data) return undefined
  const details = writeJson(data.details)
  const more = details === undefined ? "" : ` (${details})`
  // Cleans before it truncates, because the filter does not recognize half a secret.
  return truncate(clean(`${data.error}${more}`), 300)
}

/** Returns the wait in ms, by the server's clock if it sends its `Date` (RFC 9110, 6.6.1). */
function parseRetryAfter({ "retry-after": value, date }: IncomingHttpHeaders): number | undefined {
  if (!value) return undefined
  const now = Date.parse(date ?? "") || Date.now()
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? boundedRetry(ms) : undefined
}
