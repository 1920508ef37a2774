import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** HTTP server that sends exactly the bytes that a test specifies. */
export interface RawService extends AsyncDisposable {
  readonly url: string
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startRawService(): Promise<RawService> {
  const service = { answer: (_: IncomingMessage, response: ServerResponse) => void response.end() }
  const server = createServer((request, response) => {
    request.resume()
    response.on("error", () => {})
    service.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(service, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}
