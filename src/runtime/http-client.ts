import type { Readable } from "node:stream"
import {
  EnvHttpProxyAgent,
  fetch,
  type Headers,
  type RequestInit,
  type Response,
  request,
} from "undici"

/** Larger answers than this are not what any party's documents describe. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** A large export on a slow line, ms. */
const UPLOAD_MS = 10 * 60_000
const MIN_RETRY_MS = 1000
const MAX_RETRY_MS = 3_600_000

export interface Answer {
  status: number
  headers: Headers
  body: Buffer
  /** True if the body exceeds the limit: what was cut is not JSON. */
  isCut: boolean
}

export type HttpClient = ReturnType<typeof createHttpClient>

/**
 * Makes a client that knows the proxy, where one is set. Redirects are answers like any: what is sent goes
 * nowhere but where the caller chose.
 * @param timeoutMs a request is given up then, wherever it stands
 */
export function createHttpClient(timeoutMs: number) {
  // A request that did not connect was certainly not sent, so that is found out first.
  const dispatcher = new EnvHttpProxyAgent({ connectTimeout: timeoutMs / 2 })
  return {
    /**
     * Answers come unpacked, and no more of one is taken in than `maxBytes` and a chunk: a small body may
     * unpack to a huge one.
     */
    async send(
      url: string | URL,
      { signal, ...init }: Pick<RequestInit, "method" | "headers" | "body" | "signal"> = {},
      maxBytes = MAX_BODY_BYTES,
    ): Promise<Answer> {
      const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
      const options = { ...init, redirect: "manual", signal: AbortSignal.any(signals) } as const
      const response = await fetch(url, { ...options, dispatcher })
      const { status, headers } = response
      return { status, headers, ...(await readBody(response, maxBytes)) }
    },

    /**
     * Streams a body of a known length, and fails where it has another; not with `fetch`, which was
     * measured to keep every byte until all are sent. Resolves to the status of the answer.
     */
    async upload(url: string, { bytes, content }: { bytes: number; content: Readable }) {
      const headers = { "content-type": "application/octet-stream", "content-length": `${bytes}` }
      const signal = AbortSignal.timeout(UPLOAD_MS)
      const options = { method: "POST", headers, body: content, signal, dispatcher } as const
      const { statusCode, body } = await request(url, options)
      await body.dump()
      return statusCode
    },
  }
}

async function readBody({ body }: Response, maxBytes: number) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    chunks.push(chunk)
    // Leaving the loop ends the download.
    if (bytes > maxBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: bytes > maxBytes }
}

/** Bounds the wait that another party asks for: neither at once nor for a day, ms. */
export function boundedRetry(ms: number): number {
  return Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS)
}
