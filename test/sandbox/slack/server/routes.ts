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
import { type IncomingCall, serveCall } from "./serve-call.ts"
import { bearerOf, SIGN_IN, serveDownload } from "./serve-download.ts"

/** Answers the app's requests. */
async function route(core: Core, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? "/", "http://local")
  const [, area = "", ...rest] = url.pathname.split("/")
  if (area === "files-pri") return await serveDownload(core, rest, request, response)
  if (area === "sign-in") return send(response, html(200, SIGN_IN))
  const call = await callOf(core, area, rest, request)
  if (call) await serveCall(core, call, response)
  else response.writeHead(404).end()
}

/** Returns the call that a request makes; undefined if the address isn't one of Slack's. */
async function callOf(
  core: Core,
  area: string,
  rest: readonly string[],
  request: IncomingMessage,
): Promise<IncomingCall | undefined> {
  if (area === "upload") return uploadOf(core, rest.at(-1) ?? "", await buffer(request))
  if (area !== "api" && area !== "response") return undefined
  const args = await argumentsOf(request)
  const name = rest.join("/")
  return area === "api"
    ? { name, args, effect: () => callMethod(core, name, args, bearerOf(request)) }
    : { name: "response_url", args, effect: () => answerResponseUrl(core, name, args) }
}

function uploadOf(core: Core, fileId: string, content: Buffer): IncomingCall {
  const upload = core.uploads.get(fileId)
  const effect = () => {
    if (upload === undefined) return refusal(new ApiError("invalid_upload", {}, { status: 404 }))
    if (content.length !== upload.length) {
      return refusal(new ApiError("size_mismatch", {}, { status: 400 }))
    }
    upload.content = content
    return json(200, { ok: true, size: content.length })
  }
  return { name: "upload", args: { file: fileId, size: content.length }, effect }
}

/** Resolves to the arguments of a call. @throws ApiError for those that nobody can read */
async function argumentsOf(request: IncomingMessage): Promise<JsonObject> {
  const body = await buffer(request)
  return readArguments(request.headers["content-type"] ?? "", body.toString("utf8"))
}

/** Starts the server for the bot's calls and sockets, and announces messages to the bot. */
export async function serve(core: Core): Promise<HttpServer> {
  const http = await listen(0, (request, response) => {
    route(core, request, response).catch((error: unknown) => {
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
