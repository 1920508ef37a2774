import type { IncomingMessage, ServerResponse } from "node:http"
import { createDocsClient } from "../../src/docs-service/docs-api.ts"
import { createSecretFilter, secret } from "../../src/lib/secrets.ts"
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

/** Creates the bot's client of a service at this address, which must show none of the secrets. */
export function docsClientAt(baseUrl: string, timeoutMs: number, key: string, ...others: string[]) {
  const projects = [{ key: "docs", id: "prj 1", apiKey: secret(key) }]
  const jobPath = "/v2/agent/{projectId}/job/{jobId}"
  const secrets = createSecretFilter([key, ...others])
  return createDocsClient({ baseUrl, jobPath, timeoutMs, projects }, secrets)
}
