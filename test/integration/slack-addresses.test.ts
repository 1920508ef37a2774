import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { secret } from "../../src/config/secret.ts"
import { createLog } from "../../src/runtime/log.ts"
import { createWebClient } from "../../src/slack/client.ts"
import { createOutbound } from "../../src/slack/web-outbound.ts"

/** Takes whatever comes; nothing should. */
const stranger = createServer((req, res) => {
  called.push(`${req.method} ${req.url}`)
  res.end("ok")
})
/** Slack's Web API, but its answer names an address that is not Slack's. */
const slack = createServer((_, res) => {
  res.setHeader("content-type", "application/json")
  res.end(JSON.stringify({ ok: true, upload_url: urlOf(stranger), file_id: "F1" }))
})
const called: string[] = []

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

function outbound() {
  return createOutbound(
    createWebClient(secret("xoxb-local"), urlOf(slack), createLog("silent", [])),
  )
}

const refused = { name: "SlackError", code: "foreign_url", verdict: "give_up" }

test("a private answer goes to no address but Slack's, whatever a payload says", async () => {
  const answer = outbound().respond(urlOf(stranger), { text: "private", blocks: [] })
  await expect(answer).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})

test("nor does a file, whatever an answer says", async () => {
  const file = { name: "a.csv", bytes: 1, content: Readable.from([Buffer.from("a")]) }
  const upload = outbound().upload({ channel: "C1" }, file)
  await expect(upload).rejects.toMatchObject(refused)
  expect(called).toEqual([])
})
