import type { IncomingMessage, ServerResponse } from "node:http"
import type { PayloadResult } from "./payload-processor.ts"

/** A body that is refused is read no further than this; Slack's are seldom longer. bytes */
const MOST_THROWN_AWAY = 32 * 1024

/**
 * Answers before the body has come. Of a long one most stays unread, as every piece would take memory until
 * the next collection. The connection stays until its time is up: closed on a client that is still
 * sending, it would take the answer along (RFC 9112, 9.6).
 */
export function refuse(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  text: string,
): void {
  res.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    connection: "close",
  })
  res.write(text)
  let left = MOST_THROWN_AWAY
  req.once("end", () => res.end())
  req.on("readable", () => {
    left -= req.readableLength
    if (left >= 0) req.read()
  })
}

const REFUSALS = {
  malformed: [400, "This is not a payload of Slack."],
  unhandled: [404, "Nothing here listens to that."],
  failed: [500, "Not done; please send it again."],
} as const

export function reply(res: ServerResponse, result: PayloadResult): void {
  if (result.kind !== "acked") {
    const [status, text] = REFUSALS[result.kind]
    end(res, status, text)
  } else if (result.body === undefined || typeof result.body === "string")
    end(res, 200, result.body)
  else json(res, result.body)
}

export function end(res: ServerResponse, status: number, text = ""): void {
  send(res, status, "text/plain; charset=utf-8", text)
}

export function json(res: ServerResponse, body: unknown): void {
  send(res, 200, "application/json; charset=utf-8", JSON.stringify(body))
}

/** With its length known the answer leaves in one write instead of as chunks. */
function send(res: ServerResponse, status: number, type: string, text: string): void {
  res
    .writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) })
    .end(text)
}
