import type { IncomingMessage, ServerResponse } from "node:http"
import { listen } from "../sandbox/kit/http-server.ts"

/** HTTP server that sends exactly the bytes that a test specifies. */
export interface RawService extends AsyncDisposable {
  readonly url: string
  answer: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startRawService(
  answer: RawService["answer"] = (_, response) => void response.end(),
): Promise<RawService> {
  const service = { answer }
  const { url, close } = await listen(0, (request, response) => {
    request.resume()
    response.on("error", () => {})
    service.answer(request, response)
  })
  return Object.assign(service, { url, [Symbol.asyncDispose]: close })
}
