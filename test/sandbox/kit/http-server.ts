import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"

export interface HttpServer {
  readonly server: Server
  readonly url: string
  readonly close: () => Promise<void>
}

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
