import type { Readable } from "node:stream"
import { EnvHttpProxyAgent, fetch, type RequestInit, type Response, request } from "undici"

/** Maximum size of an answer if the caller sets none, far above any documented one. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Time limit for an upload, enough for a large export on a slow connection. */
export const UPLOAD_MS = 10 * 60_000
const MIN_RETRY_MS = 1000
const MAX_RETRY_MS = 3_600_000

export type HttpClient = ReturnType<typeof createHttpClient>
export type Answer = Awaited<ReturnType<HttpClient["send"]>>

/**
 * Creates a client that uses the proxy, if one is set. Does not follow redirects, so that data goes
 * only where the caller chose.
 */
export function createHttpClient(timeoutMs: number) {
  // Connecting has a shorter limit, so that a slow connection counts as one that failed: its
  // request was certainly not sent.
  const dispatcher = new EnvHttpProxyAgent({ connectTimeout: timeoutMs / 2 })
  return {
    /** Sends a request. Limits the decompressed answer, because a small body may become huge. */
    async send(
      url: string | URL,
      { signal, ...init }: Pick<RequestInit, "method" | "headers" | "body" | "signal"> = {},
      maxBytes = MAX_BODY_BYTES,
    ) {
      const signals = [AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]
      const options = { ...init, redirect: "manual", signal: AbortSignal.any(signals) } as const
      const response = await fetch(url, { ...options, dispatcher })
      const { status, headers } = response
      return { status, headers, ...(await readBody(response, maxBytes)) }
    },

    /**
     * Streams a body and resolves to the answer's status. Fails if the body is not `bytes` long.
     * Does not use `fetch`, which buffers the whole body until it is sent (measured).
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
    if (bytes > maxBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), isCut: bytes > maxBytes }
}

/** Clamps another party's retry delay to between one second and one hour. */
export function boundedRetry(ms: number): number {
  return Math.min(Math.max(ms, MIN_RETRY_MS), MAX_RETRY_MS)
}

/** Codes of undici and OpenSSL for a connection that was never made. */
const NOT_CONNECTED = /^UND_ERR_CONNECT_TIMEOUT$|CERT|LEAF_SIGNATURE/
/** System calls that fail before a request is written; open connections fail in others. */
const CONNECTING = ["getaddrinfo", "connect"]

/** Returns the code or name of the innermost `cause`, and whether any proves that nothing was sent. */
export function networkFault(error: unknown) {
  const faults = faultsIn(error)
  const isUnsent = faults.some(
    ({ code, syscall }) => NOT_CONNECTED.test(code) || CONNECTING.includes(syscall),
  )
  return { code: faults.at(-1)?.code, isUnsent }
}

function faultsIn(error: unknown): { code: string; syscall: string }[] {
  if (!(error instanceof Error)) return []
  const { code, name, syscall } = error as NodeJS.ErrnoException
  const own = { code: typeof code === "string" ? code : name, syscall: syscall ?? "" }
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  return [own, ...inner.flatMap(faultsIn)]
}
