/**
 * Reasons why a call to the service failed; the others are HTTP statuses (see `docs/faults.ts`).
 * - `unreachable`: no connection, so the request was certainly not sent
 * - `interrupted`: no whole answer came (timeout, reset), so the effect is unknown
 * - `rate_limited`: HTTP 429, or not sent because the bot's own hourly analytics limit is used up
 * - `own_share`: not sent, because this reader has used half of that limit while others ask
 * - `not_configured`: not sent, because this process knows no such project
 * - `broken_body`: a success whose body does not match the API reference
 */
const docsFaults = [
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
export type DocsFault = (typeof docsFaults)[number]

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
