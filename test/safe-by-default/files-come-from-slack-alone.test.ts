import { afterEach, beforeEach, expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { secret } from "../../src/lib/secrets.ts"
import { createReadFile } from "../../src/slack/accepted-text-files.ts"
import { isSlackUrl, SlackClient } from "../../src/slack/client.ts"
import { createOutbound } from "../../src/slack/write-to-slack.ts"
import { type RawService, startRawService } from "../helpers/raw-service.ts"

const FILE = { id: "F1", name: "notes.md" }
const PATH = "/files-pri/notes.md"

/** Server outside Slack, which accepts everything and should get nothing. */
let stranger: RawService
/** Slack's Web API, with one file. */
let slack: RawService
let client: SlackClient
let called: string[]
/** Answer at the file's own address. */
let content: RawService["answer"]
/** Addresses of the file in `files.info`, which may lead outside Slack. */
let address: { url_private?: string; url_private_download?: string }

beforeEach(async () => {
  called = []
  stranger = await startRawService(({ method, url }, response) => {
    called.push(`${method} ${url}`)
    response.end("ok")
  })
  slack = await startRawService((request, response) => {
    if (request.url === PATH) return content(request, response)
    response.setHeader("content-type", "application/json")
    const file = { ...FILE, mimetype: "text/markdown", size: 5, ...address }
    response.end(JSON.stringify({ ok: true, upload_url: stranger.url, file_id: "F1", file }))
  })
  address = { url_private_download: `${slack.url}${PATH}` }
  client = new SlackClient(secret("xoxb-local"), `${slack.url}/`, createLog("silent", []))
})
afterEach(async () => {
  await stranger[Symbol.asyncDispose]()
  await slack[Symbol.asyncDispose]()
})

const read = (withinMs = 20_000) => createReadFile(client)(FILE, withinMs)

const refused = { name: "SlackError", code: "foreign_url", verdict: "give_up" }

test("no private answer and no file goes to an address but Slack's, whatever a payload or an answer says", async () => {
  const outbound = createOutbound(client)
  const answer = outbound.respond(`${stranger.url}/`, { text: "private", blocks: [] })
  await expect(answer).rejects.toMatchObject(refused)
  const upload = outbound.upload({ channel: "C1" }, "a.csv", Buffer.from("a"))
  await expect(upload).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test.each([
  ["an answer", () => ({ url_private_download: `${stranger.url}/` })],
  ["an answer without the better address", () => ({ url_private: `${stranger.url}/` })],
  ["a redirection", () => address],
])("no file is fetched from elsewhere, and the token shown to nobody: %s", async (_, of) => {
  address = of()
  content = (_request, response) => void response.writeHead(302, { location: stranger.url }).end()
  expect(await read()).toMatchObject({ unread: "unavailable" })
  expect(called).toEqual([])
})

const CHUNK = Buffer.alloc(64 * 1024, "x")

test("a file without end is let go at the bound, whatever size Slack gave", async () => {
  let bytes = 0
  content = (_, response) => {
    response.writeHead(200, { "content-type": "text/plain" })
    const push = () => {
      do bytes += CHUNK.length
      while (response.write(CHUNK))
    }
    response.on("drain", push)
    push()
  }
  expect(await read()).toMatchObject({ unread: "too_large" })
  // The buffers of two sockets hold data that was already sent.
  expect(bytes).toBeLessThan(20_000_000)
})

test("a file that does not come to its end is given up in time", async () => {
  content = (_, response) =>
    void response.writeHead(200, { "content-type": "text/plain" }).write("a")
  expect(await read(50)).toMatchObject({ unread: "unavailable" })
})

test("the page to sign in is no file, though it comes with status 200", async () => {
  content = (_, response) =>
    void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(CHUNK)
  expect(await read()).toMatchObject({ unread: "unavailable" })
})

const API = "https://slack.com/api/"
const LOCAL = "http://127.0.0.1:4000/api/"

test.each([
  ["https://hooks.slack.com/commands/T1/2/3", API, true],
  ["https://hooks.slack-gov.com/actions/T1/2/3", "https://slack-gov.com/api/", true],
  ["https://files.slack.com/upload/v1/x", API, true],
  ["https://slack.com/api/response", API, true],
  ["http://127.0.0.1:4000/response/1", LOCAL, true],
  ["https://hooks.slack.com/commands/T1/2/3", LOCAL, true],
  ["http://hooks.slack.com/commands/T1/2/3", API, false],
  ["https://hooks.slack.com:8443/commands", API, false],
  ["https://hooks.slack.com@evil.example/", API, false],
  ["https://someone:secret@hooks.slack.com/", API, false],
  ["https://evilslack.com/", API, false],
  ["https://hooks.slack.com.evil.example/", API, false],
  ["https://evil.example/hooks.slack.com", API, false],
  ["http://169.254.169.254/latest/meta-data/", API, false],
  ["http://127.0.0.1:4001/response/1", LOCAL, false],
  ["https://127.0.0.1:4000/response/1", LOCAL, false],
  ["file:///etc/passwd", API, false],
  ["/commands", API, false],
  ["", API, false],
])("an address is Slack's: %s, with the Web API at %s: %s", (url, api, isIts) => {
  expect(isSlackUrl(url, api)).toBe(isIts)
})
