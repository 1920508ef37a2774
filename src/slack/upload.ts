import { once } from "node:events"
import { type IncomingMessage, request as plain } from "node:http"
import { request as secure } from "node:https"
import type { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { WebClient } from "@slack/web-api"
import { SlackError } from "../errors/slack-error.ts"
import type { Conversation } from "../ports/outbound.ts"
import { onlyToSlack } from "./slack-url.ts"
import { brokenAnswer } from "./verdict.ts"

/** A large export on a slow line, ms. */
const UPLOAD_MS = 10 * 60_000

/**
 * Slack's three steps: ask for an upload URL of a known length, stream the bytes, complete.
 * The content is never held in memory as a whole, so it is not sent with `fetch`: measured, that
 * keeps every byte of a streamed body until it is sent.
 */
export async function uploadFile(
  client: WebClient,
  to: Conversation,
  file: { name: string; bytes: number; content: Readable },
): Promise<void> {
  const { upload_url, file_id } = await client.files.getUploadURLExternal({
    filename: file.name,
    length: file.bytes,
  })
  if (!upload_url || !file_id) throw brokenAnswer("files.getUploadURLExternal")
  onlyToSlack("files.upload", upload_url, client)
  const status = await send(upload_url, file)
  if (status < 200 || status >= 300)
    throw new SlackError({ method: "files.upload", verdict: "unknown", code: `http_${status}` })
  await client.files.completeUploadExternal({
    files: [{ id: file_id, title: file.name }],
    channel_id: to.channel,
    ...(to.thread ? { thread_ts: to.thread } : {}),
  })
}

/** @returns the HTTP status of the answer */
async function send(url: string, file: { bytes: number; content: Readable }): Promise<number> {
  const open = url.startsWith("https:") ? secure : plain
  const outgoing = open(url, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", "content-length": file.bytes },
    signal: AbortSignal.timeout(UPLOAD_MS),
  })
  const answered: Promise<IncomingMessage[]> = once(outgoing, "response")
  const sent = pipeline(file.content, exactly(file.bytes), outgoing)
  const [[answer]] = await Promise.all([answered, sent])
  answer?.resume()
  return answer?.statusCode ?? 0
}

/**
 * Lets so many bytes pass. With fewer than were announced Slack would wait for the rest, and whoever
 * sends would wait for Slack, until the upload's timeout.
 */
function exactly(bytes: number) {
  return async function* (content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let left = bytes
    for await (const chunk of content) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new Error("The file is not as long as was announced to Slack.")
  }
}
