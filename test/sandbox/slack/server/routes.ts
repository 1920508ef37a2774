import type { IncomingMessage, ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { type HttpServer, listen } from "../../kit/http-server.ts"
import type { JsonObject } from "../../kit/json.ts"
import { html, json, send } from "../../kit/reply.ts"
import type { Core } from "../core.ts"
import { announceEdit, announceMessage } from "../delivery/message-events.ts"
import { ApiError } from "../web-api/api-error.ts"
import { readArguments } from "../web-api/arguments.ts"
import { callMethod, refusal } from "../web-api/call.ts"
import { answerResponseUrl } from "../web-api/response-url.ts"
import { serveCall } from "./serve-call.ts"
import { bearerOf, SIGN_IN, serveDownload } from "./serve-download.ts"

/** Handles the app's requests; returns false if the address isn't one of Slack's. */
async function route(core: Core, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? "/", "http://local")
  const [, area, ...rest] = url.pathname.split("/")
  const name = rest.join("/")
  if (area === "api") await serveMethod(core, name, request, response)
  else if (area === "response") await serveResponseUrl(core, name, request, response)
  else if (area === "upload") await serveUpload(core, rest.at(-1) ?? "", request, response)
  else if (area === "files-pri") await serveDownload(core, rest, request, response)
  else if (area === "sign-in") send(response, html(200, SIGN_IN))
  else return false
  return true
}

async function serveMethod(
  core: Core,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const args = await argumentsOf(request)
  const effect = () => callMethod(core, name, args, bearerOf(request))
  await serveCall(core, { name, args, effect }, response)
}

async function serveResponseUrl(
  core: Core,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const args = await argumentsOf(request)
  const effect = () => answerResponseUrl(core, id, args)
  await serveCall(core, { name: "response_url", args, effect }, response)
}

async function serveUpload(
  core: Core,
  fileId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const content = await buffer(request)
  const upload = core.uploads.get(fileId)
  const effect = () => {
    if (upload === undefined) return refusal(new ApiError("invalid_upload", {}, { status: 404 }))
    if (content.length !== upload.length) {
      return refusal(new ApiError("size_mismatch", {}, { status: 400 }))
    }
    upload.content = content
    return json(200, { ok: true, size: content.length })
  }
  const args = { file: fileId, size: content.length }
  await serveCall(core, { name: "upload", args, effect }, response)
}

/** Resolves to the arguments of a call. @throws ApiError for those that nobody can read */
async function argumentsOf(request: IncomingMessage): Promise<JsonObject> {
  const body = await buffer(request)
  return readArguments(request.headers["content-type"] ?? "", body.toString("utf8"))
}

/** Starts the server for the bot's calls and sockets, and announces messages to the bot. */
export async function serve(core: Core): Promise<HttpServer> {
  const http = await listen(0, (request, response) => {
    route(core, request, response)
      .then((known) => known || response.writeHead(404).end())
      .catch((error: unknown) => {
        if (error instanceof ApiError) return send(response, refusal(error))
        core.violations.push(`the local Slack failed on ${request.url}: ${String(error)}`)
        response.destroy()
      })
  })
  http.server.on("upgrade", (request, socket, head) => {
    core.sockets.handleUpgrade(request, socket, head)
  })
  core.workspace.root.url = http.url
  announceOwnMessages(core)
  return http
}

/** Sends the bot events for its own messages, in channels whose messages it receives. */
function announceOwnMessages(core: Core): void {
  core.workspace.changes.subscribe((change) => {
    if (change.type === "message_posted" && change.message.botId !== undefined) {
      void announceMessage(core, change.message)
    } else if (change.type === "message_edited" && change.message.botId !== undefined) {
      void announceEdit(core, change.message, change.previous)
    }
  })
}
