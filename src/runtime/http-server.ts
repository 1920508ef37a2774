import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Log } from "./log.ts"

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>

/** `METHOD /path` → handler. HEAD is answered like GET, without the body, which Node takes care of. */
export type Routes = Readonly<Record<string, RequestHandler>>

/**
 * Slack gives up on an answer after 3 s, and sends its requests whole. Node would wait a minute for the
 * head of a request and five minutes for its body, from anybody; ms
 */
const LONGEST_REQUEST_MS = 5000
/** How often Node looks for requests that take longer, ms. */
const CHECK_MS = 1000
/** What comes of a body before anybody reads it; later versions of Node take in four times as much. */
const MOST_UNREAD_BYTES = 16 * 1024
/** Slack sends 30,000 events an hour at most, over a few connections that it keeps. */
const MAX_CONNECTIONS = 512

export class HttpServer implements AsyncDisposable {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  /** @throws Error when the port is taken, or the address is not this machine's; it says which. */
  static async start(
    where: { port: number; bindAddress: string | undefined },
    routes: Routes,
    log: Log,
  ): Promise<HttpServer> {
    const server = createServer(
      {
        headersTimeout: LONGEST_REQUEST_MS,
        requestTimeout: LONGEST_REQUEST_MS,
        connectionsCheckingInterval: CHECK_MS,
        highWaterMark: MOST_UNREAD_BYTES,
      },
      (req, res) => void dispatch(req, res, routes, log),
    )
    boundConnections(server)
    // Slack reuses its connections: its next request fails on one that we closed before it did.
    server.keepAliveTimeout = 65_000
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(where.port, where.bindAddress, resolve)
    })
    return new HttpServer(server)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Takes nothing in any more; resolves when the requests in hand are answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    const timer = setTimeout(() => this.#server.closeAllConnections(), LONGEST_REQUEST_MS)
    await closed
    clearTimeout(timer)
  }
}

/** Idle connections go before a new one is turned away. */
function boundConnections(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS
  let open = 0
  server.on("connection", (socket) => {
    open += 1
    socket.once("close", () => {
      open -= 1
    })
    if (open === MAX_CONNECTIONS) server.closeIdleConnections()
  })
}

/** Stops reading a body that nothing asked for; its connection then takes no other request. */
function leaveBody(req: IncomingMessage, res: ServerResponse): void {
  const { "content-length": length = "0", "transfer-encoding": coding } = req.headers
  if (length === "0" && coding === undefined) return
  res.shouldKeepAlive = false
  // Node reads a body without a listener to its end, to discard it; with one it does not.
  req.on("readable", () => {})
}

async function dispatch(
  req: IncomingMessage,
  res: ServerResponse,
  routes: Routes,
  log: Log,
): Promise<void> {
  try {
    const path = (req.url ?? "/").split("?")[0]
    const method = req.method === "HEAD" ? "GET" : req.method
    const handler = routes[`${method} ${path}`]
    if (!handler || method === "GET") leaveBody(req, res)
    if (handler) await handler(req, res)
    else res.writeHead(404, { "content-type": "text/plain" }).end("There is nothing here.")
  } catch (error) {
    // A client that hangs up in the middle is no fault of ours.
    if (req.destroyed && !res.writableEnded) return
    log.error({ error, path: req.url?.split("?")[0] }, "a request failed")
    if (!res.headersSent) res.writeHead(500, { "content-type": "text/plain" })
    res.end("Something went wrong; the log says what.")
  }
}
