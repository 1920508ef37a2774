import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Core } from "../core.ts"
import { readableFile } from "../web-api/files.ts"
import type { SlackFile } from "../workspace/model.ts"
import { recordCall, serveCall } from "./serve-call.ts"

/** Page that a browser without a session gets, with status 200. */
export const SIGN_IN = "<!DOCTYPE html><title>Sign in | Slack</title>"

const CHUNK_BYTES = 64 * 1024

export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
}

/**
 * Serves `url_private` to a bot that has the scope files:read and is in the conversation. Others
 * are redirected to the sign-in page, as a browser is. The call log has the number of bytes sent.
 */
export async function serveDownload(
  core: Core,
  path: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const id = (path[0] ?? "").split("-").at(-1) ?? ""
  const file = mayRead(core, bearerOf(request)) ? readableFile(core, id) : undefined
  if (file !== undefined && file.mode !== "tombstone") return send(core, file, response)
  const location = `/sign-in?redir=${encodeURIComponent(request.url ?? "/")}`
  const effect = () => ({ status: 302, headers: { location }, body: SIGN_IN })
  await serveCall(core, { name: "download", args: { file: id, bytes: 0 }, effect }, response)
}

function mayRead({ settings }: Core, token: string | undefined): boolean {
  const { botToken, tokenState, scopes } = settings
  return token === botToken && tokenState === "active" && scopes.has("files:read")
}

/** Sends the content in pieces, so that a client that disconnects early doesn't get it all. */
async function send(core: Core, file: SlackFile, response: ServerResponse): Promise<void> {
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
