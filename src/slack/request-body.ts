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

/** Reads bodies, and keeps what all unfinished ones hold together within bounds. */
export class RequestBodies {
  /** Unfinished ones, the oldest first, with the bytes they hold. */
  readonly #coming = new Map<IncomingMessage, number>()
  #bytes = 0

  /**
   * Undefined when it is too large. Rejects when the sender hangs up, takes too long, or is crowded
   * out by newer ones: the oldest unfinished body is the least likely to be Slack's.
   */
  async read(req: IncomingMessage): Promise<Buffer | undefined> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of req.iterator({ destroyOnReturn: false })) {
        size += chunk.length
        if (size > MAX_BODY_BYTES) return undefined
        chunks.push(chunk)
        this.#hold(req, chunk.length + PIECE_BYTES)
      }
      return Buffer.concat(chunks)
    } finally {
      this.#let(req)
    }
  }

  #hold(req: IncomingMessage, bytes: number): void {
    this.#bytes += bytes
    this.#coming.set(req, (this.#coming.get(req) ?? 0) + bytes)
    for (const oldest of this.#coming.keys()) {
      if (this.#bytes <= MAX_COMING_BYTES) return
      this.#let(oldest)
      oldest.destroy()
    }
  }

  #let(req: IncomingMessage): void {
    this.#bytes -= this.#coming.get(req) ?? 0
    this.#coming.delete(req)
  }
}
