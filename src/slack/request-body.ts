import type { IncomingMessage } from "node:http"

/** Slack's payloads are far smaller; anything larger is not Slack. */
export const MAX_BODY_BYTES = 1024 * 1024
/**
 * Bytes of all bodies that are still coming. Slack's arrive whole within a second; a sender can claim any
 * signature, and only the last byte of the body shows that it is false.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** Cost of a piece of a body beside its bytes: a body may come byte by byte. */
const PIECE_BYTES = 256

/** Makes a reader of bodies that keeps what all unfinished ones hold together within bounds. */
export function createBodyReader() {
  /** Unfinished ones, the oldest first, with the bytes they hold. */
  const coming = new Map<IncomingMessage, number>()
  let bytes = 0

  function forget(req: IncomingMessage): void {
    bytes -= coming.get(req) ?? 0
    coming.delete(req)
  }

  /**
   * Returns the body, or undefined when it is too large. Rejects when the sender hangs up, takes too long, or is crowded
   * out by newer ones: the oldest unfinished body is the least likely to be Slack's.
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
