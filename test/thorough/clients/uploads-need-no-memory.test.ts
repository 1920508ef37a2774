import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { SlackClient } from "../../../src/slack/client.ts"
import { createOutbound } from "../../../src/slack/web-outbound.ts"

const CHUNK = 50_000
const CHUNKS = 2_000

/** Starts Slack's side of an upload, which counts the bytes but doesn't keep them. */
async function startCounter() {
  const seen = { bytes: 0, completed: 0 }
  const server = createServer((req, res) => {
    const isUpload = req.url === "/upload"
    req.on("data", (chunk: Buffer) => {
      if (isUpload) seen.bytes += chunk.length
    })
    req.on("end", () => {
      if (req.url?.includes("complete")) seen.completed += 1
      const upload_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload`
      res.setHeader("content-type", "application/json")
      res.end(JSON.stringify({ ok: true, upload_url, file_id: "F1" }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { seen, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

function collector(): () => void {
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void
}

/** Returns the largest increase in bytes; decreases come from memory that was in use before. */
function mostRise(held: readonly number[]): number {
  return Math.max(...held.map((now, i) => now - Math.min(...held.slice(0, i + 1))))
}

test("a file of 100 MB is sent without being held in memory", async () => {
  const { seen, server, url } = await startCounter()
  const collect = collector()
  const held: number[] = []
  async function* content() {
    for (let n = 0; n < CHUNKS; n++) {
      if (n % 200 === 100) {
        collect()
        held.push(process.memoryUsage().external)
      }
      // Lets the socket write, as reading from a store would.
      await new Promise((resolve) => setImmediate(resolve))
      yield Buffer.alloc(CHUNK, n % 256)
    }
  }
  const client = new SlackClient(secret("xoxb-local"), url, createLog("silent", []))
  await createOutbound(client).upload(
    { channel: "D1" },
    { name: "a.csv", bytes: CHUNK * CHUNKS, content: Readable.from(content()) },
  )
  server.close()
  expect(seen).toEqual({ bytes: CHUNK * CHUNKS, completed: 1 })
  expect(mostRise(held)).toBeLessThan(30_000_000)
})
