import type { IncomingHttpHeaders } from "node:http"
import { z } from "zod"
import { DocsError, type DocsFault } from "../errors/docs-error.ts"
import { boundedRetry } from "../runtime/http-client.ts"
import { parseJson } from "../text/json.ts"
import { truncate } from "../text/truncate.ts"

/** Codes of undici and OpenSSL for a connection that was never made: the request certainly had no effect. */
const NOT_CONNECTED = /^UND_ERR_CONNECT_TIMEOUT$|CERT|LEAF_SIGNATURE/
/** The system calls before a request is written. An open connection breaks in `read` or `write`. */
const CONNECTING = ["getaddrinfo", "connect"]

/** Classifies a failure of the network, which undici hides in `cause`. */
export function transportFault(operation: string, cause: unknown): DocsError {
  const faults = faultsIn(cause)
  const unsent = faults.some(
    ({ code, syscall }) => NOT_CONNECTED.test(code) || CONNECTING.includes(syscall),
  )
  const fault = unsent ? "unreachable" : "interrupted"
  return new DocsError({ operation, fault, detail: faults[0]?.code }, { cause })
}

function faultsIn(error: unknown): { code: string; syscall: string }[] {
  if (!(error instanceof Error)) return []
  const { code, name, syscall } = error as NodeJS.ErrnoException
  const own = { code: code ?? name, syscall: syscall ?? "" }
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  return [own, ...inner.flatMap(faultsIn)]
}

const BY_STATUS: Record<number, DocsFault> = {
  401: "key_refused",
  403: "forbidden",
  404: "not_found",
  429: "rate_limited",
}

/** Classifies an answer that is no success. Its body may be JSON, HTML or empty. */
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
    retryAfterMs: parseRetryAfter(headers["retry-after"], Date.parse(headers.date ?? "")),
    detail: messageOf(body, clean),
  })
}

const errorBody = z.object({ error: z.string(), details: z.unknown().optional() })

/** Returns the service's own message. Ignores HTML pages of proxies, which do not help people. */
function messageOf(body: string, clean: (text: string) => string): string | undefined {
  const { data } = errorBody.safeParse(parseJson(body))
  if (!data) return undefined
  const more = data.details === undefined ? "" : ` (${JSON.stringify(data.details)})`
  // Cleans before it cuts, because the filter does not find half a secret.
  return truncate(clean(`${data.error}${more}`), 300)
}

/**
 * Returns the wait that `Retry-After` demands, in seconds or as a date, in ms within bounds.
 * @param now when the server made the answer, by its own clock: the answer's `Date` (RFC 9110, 6.6.1)
 */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined
  const ms = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? boundedRetry(ms) : undefined
}
