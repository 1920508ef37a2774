import type { IncomingMessage } from "node:http"
import { setTimeout as delay } from "node:timers/promises"

/** Maximum size of a body, far above that of Slack's payloads. */
export const MAX_BODY_BYTES = 1024 * 1024
/**
 * Maximum bytes of all unfinished bodies together: anybody can claim a signature, and the bot can
 * check it only once it has the whole body.
 */
const MAX_COMING_BYTES = 8 * MAX_BODY_BYTES
/** Size that Slack's bodies stay below: a click brings at most a message of 50 blocks. */
const USUAL_BYTES = 128 * 1024
/** Time in ms for newer ones to replace an unusually large body before any of it is read. */
const LARGE_WAIT_MS = 50
/** Memory that a chunk of a body is assumed to cost besides its bytes. */
const PIECE_BYTES = 256

export function createBodyReader() {
  /** Bytes that each unfinished body is charged for, oldest first. */
  const coming = new Map<IncomingMessage, number>()
  let bytes = 0

  function chargeFor(req: IncomingMessage, cost: number): void {
    bytes += cost - (coming.get(req) ?? 0)
    coming.set(req, cost)
    // A Map keeps the order of insertion: the first is the oldest.
    for (const oldest of coming.keys()) {
      if (bytes <= MAX_COMING_BYTES) break
      forget(oldest)
      oldest.destroy()
    }
  }

  function forget(req: IncomingMessage): void {
    bytes -= coming.get(req) ?? 0
    coming.delete(req)
  }

  /**
   * Reads a body; returns undefined if it is too large. Rejects if the sender hangs up or takes too
   * long, or if newer bodies need the memory: Slack's bodies arrive quickly.
   */
  return async (req: IncomingMessage): Promise<string | undefined> => {
    const announced = Number(req.headers["content-length"] ?? 0)
    const chunks: Buffer[] = []
    let size = 0
    try {
      if (announced > USUAL_BYTES) {
        // Counts in full before it comes: bytes read in vain stay in memory until the next collection.
        chargeFor(req, announced)
        await delay(LARGE_WAIT_MS)
      }
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        size += chunk.length
        if (size > MAX_BODY_BYTES) return undefined
        chunks.push(chunk)
        chargeFor(req, Math.max(coming.get(req) ?? 0, size + chunks.length * PIECE_BYTES))
      }
      return Buffer.concat(chunks).toString("utf8")
    } finally {
      forget(req)
    }
  }
}
