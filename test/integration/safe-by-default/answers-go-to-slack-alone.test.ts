import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { SlackClient } from "../../../src/slack/client.ts"
import { createReadFile } from "../../../src/slack/read-file.ts"
import { createOutbound } from "../../../src/slack/web-outbound.ts"

/** Server outside Slack, which accepts everything and should get nothing. */
const stranger = createServer((req, res) => {
  called.push(`${req.method} ${req.url}`)
  res.end("ok")
})
/** Slack's Web API with responses that lead to an address outside Slack. */
const slack = createServer((req, res) => {
  if (req.url === "/files-pri/notes.md") {
    res.writeHead(302, { location: urlOf(stranger) }).end()
    return
  }
  res.setHeader("content-type", "application/json")
  const file = { id: "F1", name: "notes.md", mimetype: "text/markdown", size: 5, ...address.of }
  res.end(JSON.stringify({ ok: true, upload_url: urlOf(stranger), file_id: "F1", file }))
})
const called: string[] = []
const address: { of: { url_private?: string; url_private_download?: string } } = { of: {} }

beforeAll(async () => {
  for (const server of [stranger, slack])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
beforeEach(() => void called.splice(0))
afterAll(() => {
  stranger.close()
  slack.close()
})

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const token = secret("xoxb-local")

function client() {
  return new SlackClient(token, urlOf(slack), createLog("silent", []))
}

function outbound() {
  return createOutbound(client())
}

const refused = { name: "SlackError", code: "foreign_url", verdict: "give_up" }

test("a private answer goes to no address but Slack's, whatever a payload says", async () => {
  const answer = outbound().respond(urlOf(stranger), { text: "private", blocks: [] })
  await expect(answer).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test("a file goes to no address but Slack's, whatever an answer says", async () => {
  const file = { name: "a.csv", bytes: 1, content: Readable.from([Buffer.from("a")]) }
  const upload = outbound().upload({ channel: "C1" }, file)
  await expect(upload).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test.each([
  ["an answer", () => ({ url_private_download: urlOf(stranger) })],
  ["an answer without the better address", () => ({ url_private: urlOf(stranger) })],
  ["a redirection", () => ({ url_private_download: `${urlOf(slack)}files-pri/notes.md` })],
])("no file is fetched from elsewhere, and the token shown to nobody: %s", async (_, of) => {
  address.of = of()
  const file = { id: "F1", name: "notes.md" }
  const read = await createReadFile(client())(file, AbortSignal.timeout(5000))
  expect(read).toMatchObject({ unread: "unavailable" })
  expect(called).toEqual([])
})
