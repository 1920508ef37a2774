import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { secret } from "../../src/lib/secret.ts"
import { createReadFile } from "../../src/slack/accepted-text-files.ts"
import { SlackClient } from "../../src/slack/client.ts"
import { createOutbound } from "../../src/slack/write-to-slack.ts"
import { type RawService, startRawService } from "../helpers/raw-service.ts"

/** Server outside Slack, which accepts everything and should get nothing. */
let stranger: RawService
/** Slack's Web API with responses that lead to an address outside Slack. */
let slack: RawService
const called: string[] = []
const address: { of: { url_private?: string; url_private_download?: string } } = { of: {} }

beforeAll(async () => {
  stranger = await startRawService()
  stranger.answer = ({ method, url }, response) => {
    called.push(`${method} ${url}`)
    response.end("ok")
  }
  slack = await startRawService()
  slack.answer = ({ url }, response) => {
    if (url === "/files-pri/notes.md")
      return void response.writeHead(302, { location: stranger.url }).end()
    response.setHeader("content-type", "application/json")
    const file = { id: "F1", name: "notes.md", mimetype: "text/markdown", size: 5, ...address.of }
    response.end(JSON.stringify({ ok: true, upload_url: stranger.url, file_id: "F1", file }))
  }
})
beforeEach(() => void called.splice(0))
afterAll(async () => {
  await stranger[Symbol.asyncDispose]()
  await slack[Symbol.asyncDispose]()
})

const client = () => new SlackClient(secret("xoxb-local"), `${slack.url}/`, createLog("silent", []))

const refused = { name: "SlackError", code: "foreign_url", verdict: "give_up" }

test("a private answer goes to no address but Slack's, whatever a payload says", async () => {
  const answer = createOutbound(client()).respond(`${stranger.url}/`, {
    text: "private",
    blocks: [],
  })
  await expect(answer).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test("a file goes to no address but Slack's, whatever an answer says", async () => {
  const upload = createOutbound(client()).upload({ channel: "C1" }, "a.csv", Buffer.from("a"))
  await expect(upload).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test.each([
  ["an answer", () => ({ url_private_download: `${stranger.url}/` })],
  ["an answer without the better address", () => ({ url_private: `${stranger.url}/` })],
  ["a redirection", () => ({ url_private_download: `${slack.url}/files-pri/notes.md` })],
])("no file is fetched from elsewhere, and the token shown to nobody: %s", async (_, of) => {
  address.of = of()
  const file = { id: "F1", name: "notes.md" }
  const read = await createReadFile(client())(file, AbortSignal.timeout(5000))
  expect(read).toMatchObject({ unread: "unavailable" })
  expect(called).toEqual([])
})
