import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { secret } from "../../src/config/secret.ts"
import { DocsClient } from "../../src/docs/client.ts"

/** A client of a service that answers like this. */
async function clientOf(service: RequestListener, path = "", timeoutMs = 5000) {
  const server = createServer(service)
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  const client = new DocsClient({
    baseUrl: `http://127.0.0.1:${port}${path}`,
    jobPath: "/v2/agent/{projectId}/job/{jobId}",
    timeoutMs,
    projects: [{ name: "docs", id: "prj 1", apiKey: secret("svc_key"), channels: new Set() }],
  })
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]()
    server.closeAllConnections()
    server.close()
  })
  return client
}

test("an answer that comes in pieces is read as one, wherever it was cut", async () => {
  const link = "https://git.example.com/日本語/pull/1"
  const bytes = Buffer.from(JSON.stringify({ id: "a", status: "completed", prLink: link }))
  const inside = bytes.indexOf("語") + 1
  const client = await clientOf((_, res) => {
    res.write(bytes.subarray(0, inside), () => setImmediate(() => res.end(bytes.subarray(inside))))
  })
  expect((await client.getJob("docs", "a")).prLink).toBe(link)
})

test("what the service says before its answer is not taken for the answer", async () => {
  const client = await clientOf((_, res) => {
    res.writeEarlyHints({ link: "</style.css>; rel=preload" })
    res.writeHead(404).end('{"error":"no such job"}')
  })
  await expect(client.getJob("docs", "a")).rejects.toMatchObject({
    fault: "not_found",
    detail: "no such job",
  })
})

test("the service may live under a path, and ids may hold anything", async () => {
  const asked: (string | undefined)[] = []
  const client = await clientOf((req, res) => {
    asked.push(req.url)
    res.end('{"id":"a","status":"active"}')
  }, "/docs/")
  await client.getJob("docs", "a/b c")
  expect(asked).toEqual(["/docs/v2/agent/prj%201/job/a%2Fb%20c"])
})

test("an answer that never ends is given up, and its outcome is not known", async () => {
  const client = await clientOf((_, res) => void res.write('{"id":'), "", 100)
  await expect(client.createJob("docs", "x")).rejects.toMatchObject({ fault: "interrupted" })
})
