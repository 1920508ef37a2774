import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { type HttpServer, listen } from "../../kit/http-server.ts"
import type { JsonObject } from "../../kit/json.ts"
import { html, json, send } from "../../kit/reply.ts"
import type { Core } from "../core.ts"
import { announceEdit, announceMessage } from "../delivery/message-events.ts"
import { callMethod, refusal } from "../web-api/call.ts"
import { readableFile } from "../web-api/files.ts"
import { ApiError, readArguments } from "../web-api/method.ts"
import { answerResponseUrl } from "../web-api/response-url.ts"
import type { SlackFile } from "../workspace/model.ts"
import { type IncomingCall, recordCall, serveCall } from "./serve-call.ts"

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

/** Page that a browser without a session gets, with status 200. */
const SIGN_IN = "<!DOCTYPE html><title>Sign in | Slack</title>"

const CHUNK_BYTES = 64 * 1024

function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
}

/**
 * Serves `url_private` to a bot that has the scope files:read and is in the conversation. Others
 * are redirected to the sign-in page, as a browser is. The call log has the number of bytes sent.
 */
async function serveDownload(
  core: Core,
  path: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = (path[0] ?? "").split("-").at(-1) ?? ""
  const file = mayRead(core, bearerOf(request)) ? readableFile(core, id) : undefined
  if (file !== undefined && file.mode !== "tombstone") return sendFile(core, file, response)
  const location = `/sign-in?redir=${encodeURIComponent(request.url ?? "/")}`
  const effect = () => ({ status: 302, headers: { location }, body: SIGN_IN })
  await serveCall(core, { name: "download", args: { file: id, bytes: 0 }, effect }, response)
}

function mayRead({ settings }: Core, token: string | undefined): boolean {
  const { botToken, tokenState, scopes } = settings
  return token === botToken && tokenState === "active" && scopes.has("files:read")
}

/** Sends the content in pieces, so that a client that disconnects early doesn't get it all. */
async function sendFile(core: Core, file: SlackFile, response: ServerResponse): Promise<void> {
  let bytes = 0
  function* pieces() {
    for (let start = 0; start < file.content.length; start += CHUNK_BYTES) {
      const piece = file.content.subarray(start, start + CHUNK_BYTES)
      bytes += piece.length
      yield piece
    }
  }
  response.writeHead(200, { "content-type": file.mimetype })
  // A client disconnects when it has read enough, which isn't an error.
  await pipeline(Readable.from(pieces()), response).catch(() => undefined)
  recordCall(core, { name: "download", args: { file: file.id, bytes } }, undefined)
}
