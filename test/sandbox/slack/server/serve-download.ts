import type { IncomingMessage, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Core } from "../core.ts"
import { readableFile } from "../web-api/files.ts"
import type { SlackFile } from "../workspace/model.ts"
import { recordCall, serveCall } from "./serve-call.ts"

/** What a browser without a session gets to see, with status 200. */
export const SIGN_IN = "<!DOCTYPE html><title>Sign in | Slack</title>"

const CHUNK_BYTES = 64 * 1024

export function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1]
}

/**
 * The content behind `url_private`: for a bot with the scope files:read that is in the conversation.
 * Everybody else is sent to the sign-in page, as a browser is. How much was taken is in the call log.
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

/** In pieces, so that whoever hangs up early did not cause all of it to be sent. */
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
  // Whoever has read enough hangs up, and that is no fault.
  await pipeline(Readable.from(pieces()), response).catch(() => undefined)
  recordCall(core, { name: "download", args: { file: file.id, bytes } }, undefined)
}
