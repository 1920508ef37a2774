import type { IncomingMessage } from "node:http"

/** The largest body; Slack's payloads are far smaller. */
export const MAX_BODY_BYTES = 1024 * 1024
/**
 * Limits the bytes of all unfinished bodies. Slack's arrive within a second; a sender can claim any
 * signature, and the bot can check it only once it has the whole body.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** The memory that each chunk of a body costs besides its bytes: a body may come byte by byte. */
const PIECE_BYTES = 256

/** Makes a reader of bodies that limits the memory of all unfinished ones together. */
export function createBodyReader() {
  /** The requests with unfinished bodies, oldest first, with the bytes that each holds. */
  const coming = new Map<IncomingMessage, number>()
  let bytes = 0

  function forget(req: IncomingMessage): void {
    bytes -= coming.get(req) ?? 0
    coming.delete(req)
  }

  /**
   * Returns the body, or undefined if it is too large. Rejects if the sender hangs up, takes too
   * long, or newer bodies need the room: the oldest unfinished body is the least likely to be
   * Slack's.
   */
  return async (req: IncomingMessage): Promise<string | undefined> => {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        size += chunk.length
        if (size > MAX_BODY_BYTES) return undefined
        chunks.push(chunk)
        bytes += chunk.length + PIECE_BYTES
        coming.set(req, (coming.get(req) ?? 0) + chunk.length + PIECE_BYTES)
        for (const oldest of coming.keys()) {
          if (bytes <= MAX_COMING_BYTES) break
          forget(oldest)
          oldest.destroy()
        }
      }
      return Buffer.concat(chunks).toString("utf8")
    } finally {
      forget(req)
    }
  }
}
