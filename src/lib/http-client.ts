import { type Dispatcher, EnvHttpProxyAgent, Headers, request } from "undici"
import { decompressed, UNPACKED } from "./decompress.ts"
import { LONGEST_PAUSE_MS } from "./time.ts"

/** Maximum size of an answer if the caller sets none, far above any documented one. */
const MAX_BODY_BYTES = 4 * 1024 * 1024
const MIN_RETRY_MS = 1000

interface Sending {
  method?: "GET" | "POST"
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Time limit of this request in ms, if not the client's. */
  withinMs?: number
}

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
    /** Sends a request. Limits the answer, also decompressed: a small body may become huge. */
    async send(
      url: string | URL,
      { withinMs = timeoutMs, method = "GET", headers, body }: Sending = {},
      maxBytes = MAX_BODY_BYTES,
    ) {
      const answer = await request(url, {
        dispatcher,
        method,
        headers: { ...UNPACKED, ...headers },
        body: body ?? null,
        signal: AbortSignal.timeout(withinMs),
      })
      const { bytes, isCut } = await readBody(answer.body, maxBytes)
      return {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
        body: await decompressed(bytes, answer.headers["content-encoding"], maxBytes),
        isCut,
      }
    },
  }
}

async function readBody(body: Dispatcher.ResponseData["body"], maxBytes: number) {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    chunks.push(chunk)
    if (length > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: length > maxBytes }
}

function headersOf(received: Dispatcher.ResponseData["headers"]): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value)
  return headers
}

/** Clamps another party's retry delay to at least a second and at most the longest pause. */
export function boundedRetry(ms: number): number {
  return Math.min(Math.max(ms, MIN_RETRY_MS), LONGEST_PAUSE_MS)
}

/** Codes of undici and OpenSSL for a connection that was never made. */
const NOT_CONNECTED = /^UND_ERR_CONNECT_TIMEOUT$|CERT|LEAF_SIGNATURE|^PROXY_/
/** Words of undici for a proxy that made no tunnel; it has no code of its own for that. */
const NO_TUNNEL = /Proxy response \((\d+)\)/
/** System calls that fail before a request is written; open connections fail in others. */
const CONNECTING = ["getaddrinfo", "connect"]

/**
 * Returns the code or name of the innermost `cause`, the host name or the port that it names, and
 * whether any proves that nothing was sent.
 */
export function networkFault(error: unknown) {
  const faults = faultsIn(error)
  const { code, hostname, port } = { ...faults.at(-1) }
  const isUnsent = faults.some(
    ({ code, syscall }) => NOT_CONNECTED.test(code) || CONNECTING.includes(syscall),
  )
  return { code, hostname, port, isUnsent }
}

interface NetworkFault {
  code: string
  syscall: string
  hostname?: string | undefined
  port?: number | undefined
}

function faultsIn(error: unknown): NetworkFault[] {
  if (!(error instanceof Error)) return []
  const { code, name, syscall, hostname, port } = error as Error & Partial<NetworkFault>
  const [, status] = NO_TUNNEL.exec(error.message) ?? []
  const known = status ? `PROXY_${status}` : code
  const own = {
    code: typeof known === "string" ? known : name,
    syscall: syscall ?? "",
    hostname,
    port,
  }
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  return [own, ...inner.flatMap(faultsIn)]
}
