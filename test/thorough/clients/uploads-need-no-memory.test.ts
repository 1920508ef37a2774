import { Readable } from "node:stream"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { SlackClient } from "../../../src/slack/client.ts"
import { createOutbound } from "../../../src/slack/web-outbound.ts"
import { startRawService } from "../../helpers/raw-service.ts"

const CHUNK = 50_000
const CHUNKS = 2_000

/** Starts Slack's side of an upload, which counts the bytes but doesn't keep them. */
async function startCounter() {
  const seen = { bytes: 0, completed: 0 }
  const service = await startRawService()
  service.answer = (request, response) => {
    request.on("data", (chunk: Buffer) => {
      if (request.url === "/upload") seen.bytes += chunk.length
    })
    request.on("end", () => {
      if (request.url?.includes("complete")) seen.completed += 1
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ ok: true, upload_url: `${service.url}/upload`, file_id: "F1" }))
    })
  }
  return { seen, service }
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
  const { seen, service } = await startCounter()
  await using _ = service
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
  const client = new SlackClient(secret("xoxb-local"), `${service.url}/`, createLog("silent", []))
  await createOutbound(client).upload(
    { channel: "D1" },
    { name: "a.csv", bytes: CHUNK * CHUNKS, content: Readable.from(content()) },
  )
  expect(seen).toEqual({ bytes: CHUNK * CHUNKS, completed: 1 })
  expect(mostRise(held)).toBeLessThan(30_000_000)
})
