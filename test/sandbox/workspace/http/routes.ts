import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { parseJson } from "../../kit/json.ts"
import { json, send } from "../../kit/reply.ts"
import { perform } from "../actions/perform.ts"
import { readMessages } from "../names.ts"
import { RequestError } from "../requests.ts"
import { snapshot } from "../to-wire.ts"
import type { WorkspaceApi } from "../workspace-api.ts"

export async function routeApi(
  api: WorkspaceApi,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [name = "", ...rest] = url.pathname.slice("/api/".length).split("/").map(decodeURIComponent)
  if (request.method === "POST") {
    const body = await bodyOf(request)
    return sendJson(response, 200, { ok: true, ...(await perform(api, name, body)) })
  }
  if (request.method !== "GET") throw new RequestError(405, "Use GET or POST")
  if (name === "events") return api.open(response)
  if (name === "files") return sendDownload(api, rest[0] ?? "", response)
  sendJson(response, 200, { ok: true, ...read(api, name, url.searchParams) })
}

function read(api: WorkspaceApi, name: string, query: URLSearchParams): object {
  if (name === "state") return { state: snapshot(api.parts, Infinity) }
  if (name === "messages") return { messages: readMessages(api.parts.slack, query) }
  throw new RequestError(
    404,
    `No such endpoint: /api/${name}. For a list, run npm run sandbox -- --help`,
  )
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = parseJson((await buffer(request)).toString("utf8"))
  if (body === undefined) throw new RequestError(400, "The body isn't JSON")
  return body
}

function sendDownload(api: WorkspaceApi, id: string, response: ServerResponse): void {
  const file = api.parts.slack.files().find((one) => one.id === id)
  if (file === undefined) throw new RequestError(404, "File not found")
  const name = encodeURIComponent(file.name)
  response.writeHead(200, {
    // Never displayed by the browser: the content of the file isn't ours.
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${name}`,
    "content-length": file.content.length,
    "x-content-type-options": "nosniff",
  })
  response.end(file.content)
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  send(response, json(status, body, { "cache-control": "no-store" }))
}
