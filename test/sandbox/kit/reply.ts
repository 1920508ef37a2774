import type { ServerResponse } from "node:http"

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

/** Returns the header that says how many seconds to wait; none if that isn't said. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "retry-after": String(seconds) }
}

/** Returns an HTML response that can't load or run anything, whatever text it shows. */
export function html(status: number, body: string): Reply {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  }
  return { status, headers, body }
}

/** Returns the page of a gateway in front of a service that fails. */
export function errorPage(status: number): Reply {
  return html(status, `<html><body><h1>${status}</h1></body></html>`)
}

/** Copies a reply of JSON with one of its fields set. */
export function withField(reply: Reply, name: string, value: unknown): Reply {
  if (typeof reply.value !== "object" || reply.value === null) return reply
  return json(reply.status, { ...reply.value, [name]: value })
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.destroyed) return
  const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length }).end(body)
}
