import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"

export interface HttpServer {
  readonly server: Server
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string
  close(): Promise<void>
}

/** Listens on the loopback interface; port 0 takes a free one. */
export async function listen(port: number, listener: RequestListener): Promise<HttpServer> {
  const server = createServer(listener)
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("No port to listen on")
  return {
    server,
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
