import type { IncomingMessage } from "node:http"
import { readBody } from "../../kit/read-body.ts"

/** The bytes sent to an upload URL: the body itself, or the one file of a multipart form. */
export async function takeUpload(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request)
  const contentType = request.headers["content-type"] ?? ""
  if (!contentType.startsWith("multipart/form-data")) return body
  const form = await new Response(new Uint8Array(body), {
    headers: { "content-type": contentType },
  }).formData()
  for (const [, value] of form) {
    if (typeof value !== "string") return Buffer.from(await value.arrayBuffer())
  }
  return Buffer.alloc(0)
}
