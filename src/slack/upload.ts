import { Readable } from "node:stream"
import type { WebClient } from "@slack/web-api"
import { SlackError } from "./errors.ts"
import type { Place } from "./outbound.ts"

/** A large export on a slow line, ms. */
const UPLOAD_MS = 10 * 60_000

/**
 * Slack's three steps: ask for an upload URL of a known length, stream the bytes, complete.
 * The content is never held in memory as a whole.
 */
export async function uploadFile(
  client: WebClient,
  to: Place,
  file: { name: string; bytes: number; content: Readable },
): Promise<void> {
  const { upload_url, file_id } = await client.files.getUploadURLExternal({
    filename: file.name,
    length: file.bytes,
  })
  if (!upload_url || !file_id)
    throw new SlackError({
      method: "files.getUploadURLExternal",
      verdict: "unknown",
      code: "broken_body",
    })
  const answer = await fetch(upload_url, {
    method: "POST",
    body: Readable.toWeb(file.content) as ReadableStream<Uint8Array>,
    headers: { "content-type": "application/octet-stream", "content-length": String(file.bytes) },
    duplex: "half",
    signal: AbortSignal.timeout(UPLOAD_MS),
  })
  await answer.arrayBuffer()
  if (!answer.ok)
    throw new SlackError({
      method: "files.upload",
      verdict: "unknown",
      code: `http_${answer.status}`,
    })
  await client.files.completeUploadExternal({
    files: [{ id: file_id, title: file.name }],
    channel_id: to.channel,
    ...(to.thread ? { thread_ts: to.thread } : {}),
  })
}
