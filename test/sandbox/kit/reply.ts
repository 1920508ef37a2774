/** Response before it is sent. `value` is the source of a JSON body. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly value?: unknown
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  const type = { "content-type": "application/json; charset=utf-8" }
  return { status, headers: { ...type, ...headers }, body: JSON.stringify(value), value }
}

export function failure(
  status: number,
  error: string,
  details?: unknown,
  headers: Record<string, string> = {},
): Reply {
  return json(status, details === undefined ? { error } : { error, details }, headers)
}

/** Returns an HTML response that can't load or run anything, whatever text it shows. */
export function html(status: number, body: string): Reply {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  }
  return { status, headers, body }
}

/** Returns a `Retry-After` header in either of the formats that HTTP allows. */
export function retryAfterHeader(
  seconds: number,
  as: "seconds" | "date",
  now: number,
): Record<string, string> {
  if (as === "seconds") return { "retry-after": String(seconds) }
  const date = (at: number) => new Date(at).toUTCString()
  // A date only has a meaning relative to the server's clock, given in `date` (RFC 9110, 6.6.1).
  return { "retry-after": date(now + seconds * 1000), date: date(now) }
}
