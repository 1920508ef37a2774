import type { IncomingMessage, ServerResponse } from "node:http"
import type { Reply } from "./reply.ts"

export function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return
  const { status, headers, body } = reply
  if (status === 304 || status === 204) {
    response.writeHead(status, headers).end()
    return
  }
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) })
  response.end(request.method === "HEAD" ? undefined : body)
}
