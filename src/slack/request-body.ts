import type { IncomingMessage } from "node:http"

/** Maximum size of a body, far above that of Slack's payloads. */
export const MAX_BODY_BYTES = 1024 * 1024
/**
 * Maximum bytes of all unfinished bodies together: anybody can claim a signature, and the bot can
 * check it only once it has the whole body.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** Memory that a chunk of a body is assumed to cost besides its bytes. */
const PIECE_BYTES = 256

export function createBodyReader() {
  /** Bytes of each unfinished body, oldest first. */
  const coming = new Map<IncomingMessage, number>()
  let bytes = 0

  function forget(req: IncomingMessage): void {
    bytes -= coming.get(req) ?? 0
    coming.delete(req)
  }

  /**
   * Reads a body; returns undefined if it is too large. Rejects if the sender hangs up or takes too
   * long, or if newer bodies need the memory: Slack's bodies arrive quickly.
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
