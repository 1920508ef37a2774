import { expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { secret } from "../../src/lib/secret.ts"
import { createReadFile } from "../../src/slack/accepted-text-files.ts"
import { SlackClient } from "../../src/slack/client.ts"
import { startRawService } from "../helpers/raw-service.ts"

const CHUNK = Buffer.alloc(64 * 1024, "x")
const FILE = { id: "F1", name: "notes.txt" }

/** Starts a Slack with one file: its files.info, and its content at the download address. */
async function startSlack(
  content: (take: (chunk: Buffer) => boolean) => void,
  type = "text/plain",
) {
  const service = await startRawService()
  const seen = { bytes: 0 }
  service.answer = (request, response) => {
    if (request.url === "/files-pri/F1") {
      response.writeHead(200, { "content-type": type })
      const push = () =>
        content((chunk) => {
          seen.bytes += chunk.length
          return response.write(chunk)
        })
      response.on("drain", push)
      return push()
    }
    const url_private_download = `${service.url}/files-pri/F1`
    const file = { ...FILE, mimetype: "text/plain", size: 10, url_private_download }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ ok: true, file }))
  }
  const token = secret("xoxb-local")
  const client = new SlackClient(token, `${service.url}/`, createLog("silent", []))
  return { service, seen, read: createReadFile(client) }
}

test("a file without end is let go at the bound, whatever size Slack gave", async () => {
  const { service, seen, read } = await startSlack((take) => {
    while (take(CHUNK));
  })
  await using _ = service
  expect(await read(FILE, AbortSignal.timeout(20_000))).toMatchObject({ unread: "too_large" })
  // The buffers of two sockets hold data that was already sent.
  expect(seen.bytes).toBeLessThan(20_000_000)
})

test("a file that does not come to its end is given up in time", async () => {
  const { service, read } = await startSlack((take) => void take(Buffer.from("a")))
  await using _ = service
  const inTime = new AbortController()
  const reading = read(FILE, inTime.signal)
  setImmediate(() => inTime.abort())
  expect(await reading).toMatchObject({ unread: "unavailable" })
})

test("the page to sign in is no file, though it comes with status 200", async () => {
  const { service, read } = await startSlack((take) => void take(CHUNK), "text/html; charset=utf-8")
  await using _ = service
  expect(await read(FILE, AbortSignal.timeout(20_000))).toMatchObject({ unread: "unavailable" })
})
