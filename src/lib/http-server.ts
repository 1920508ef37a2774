import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Log } from "./log.ts"

/** Answers a request. @param markSigned marks its connection as one with a signed request */
export type RequestHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  markSigned: () => void,
) => void | Promise<void>

/** Handlers by `METHOD /path`. HEAD is answered like GET, and Node leaves out the body. */
export type Routes = Readonly<Record<string, RequestHandler>>

/**
 * Time limit for receiving a request, and for those in flight at shutdown. Slack gives up after 3
 * s; Node would wait a minute for the headers and five minutes for the body.
 */
const MAX_REQUEST_MS = 5000
/** Maximum connections: Slack sends at most 30,000 events an hour over a few persistent ones. */
const MAX_CONNECTIONS = 512
/** Maximum connections of all kinds; those in a check end within `MAX_REQUEST_MS`. */
const MAX_OPEN = 4096
/** Time in ms in which a connection has to begin a request, not to count as a stranger's. */
const FIRST_REQUEST_MS = 1000
/** Maximum bytes that the server still reads of a body that it has refused. */
const MAX_THROWN_AWAY = 32 * 1024

/** Starts the server. @throws Error if the port is taken or the address isn't this machine's */
export async function startHttpServer(
  where: { port: number; bindAddress: string | undefined },
  routes: Routes,
  log: Log,
) {
  const server = createServer(
    {
      headersTimeout: MAX_REQUEST_MS,
      requestTimeout: MAX_REQUEST_MS,
      connectionsCheckingInterval: 1000,
      // Node 20's default; Node 22 and later buffer 64 KiB of a body that nobody has read yet.
      highWaterMark: 16 * 1024,
    },
    (req, res) => void dispatch(req, res),
  )
  const markSigned = boundConnections(server)
  // Slack reuses its connections, and its next request would fail on one that the bot closed first.
  server.keepAliveTimeout = 65_000
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(where.port, where.bindAddress, resolve)
  })

  async function dispatch(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [path] = (req.url ?? "/").split("?")
    const method = req.method === "HEAD" ? "GET" : req.method
    try {
      const handler = routes[`${method} ${path}`]
      if (handler) await handler(req, res, () => markSigned(req.socket))
      else answerEarly(req, res, 404, "Not found.")
    } catch (error) {
      // A client that hangs up midway is not a fault of the bot.
      if (req.destroyed && !res.writableEnded) return
      log.error({ error, path }, "HTTP request failed")
      if (!res.headersSent) res.writeHead(500, { "content-type": "text/plain" })
      res.end("Internal error. See the log.")
    }
  }

  return {
    port: (server.address() as AddressInfo).port,

    async [Symbol.asyncDispose](): Promise<void> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const timer = setTimeout(() => server.closeAllConnections(), MAX_REQUEST_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

/**
 * Limits the connections. If there are too many, closes the oldest that has sent nothing, or nothing
 * signed, so that a sender who opens hundreds of them cannot lock out senders of signed requests. One
 * whose request is being checked is no stranger's yet, but these, too, have a limit.
 * @returns a function that marks a connection as one with a signed request
 */
function boundConnections(server: Server) {
  const [strangers, checked, signed] = [new Set<Socket>(), new Set<Socket>(), new Set<Socket>()]
  const move = (socket: Socket, to?: Set<Socket>) => {
    for (const kind of [strangers, checked, signed]) kind.delete(socket)
    if (!socket.destroyed) to?.add(socket)
  }
  const closeOne = () => {
    const open = strangers.size + checked.size + signed.size
    const [oldest] = open > MAX_CONNECTIONS ? strangers : []
    const [busiest] = open > MAX_OPEN ? [...checked, ...signed] : []
    const closed = oldest ?? busiest
    closed?.destroy()
    if (closed) move(closed)
  }
  const begun = new WeakSet<Socket>()
  server.on("connection", (socket) => {
    move(socket, checked)
    closeOne()
    const endIfSilent = () => {
      if (begun.has(socket)) return
      move(socket, strangers)
      closeOne()
    }
    // Reads first what came while the process was busy.
    const timer = setTimeout(() => setImmediate(endIfSilent), FIRST_REQUEST_MS)
    socket.once("close", () => {
      clearTimeout(timer)
      move(socket)
    })
  })
  server.on("request", ({ socket }, res) => {
    begun.add(socket)
    if (!signed.has(socket)) move(socket, checked)
    res.once("close", () => checked.has(socket) && move(socket, strangers))
  })
  return (socket: Socket): void => move(socket, signed)
}

/**
 * Answers before the body has arrived. Leaves most of a long body unread, because every chunk would
 * take memory until the next collection. Keeps the connection until the body or the time limit
 * ends: closing it while the client still sends would lose the answer (RFC 9112, 9.6).
 */
export function answerEarly(
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
  // Once nobody reads any more, Node pauses the socket, and the client has to wait.
  let left = MAX_THROWN_AWAY
  req.once("end", () => res.end())
  req.on("readable", () => {
    left -= req.readableLength
    if (left >= 0) req.read()
  })
}
