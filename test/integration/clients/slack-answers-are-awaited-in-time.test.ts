import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { secret } from "../../../src/config/secret.ts"
import { createLog } from "../../../src/runtime/log.ts"
import { createWebClient } from "../../../src/slack/client.ts"
import { createOutbound } from "../../../src/slack/web-outbound.ts"
import { startRawService } from "../../helpers/raw-service.ts"

const CARD = { text: "a card", blocks: [] }
const POSTED = JSON.stringify({ ok: true, channel: "C1", ts: "1.2" })

/** Posts to whatever stands there for Slack. */
function post(url: string, options: { timeoutMs?: number } = {}) {
  const web = createWebClient(secret("xoxb-local"), `${url}/`, createLog("silent", []), options)
  return createOutbound(web).post({ channel: "C1" }, CARD)
}

test("an answer that comes to no end is given up in time, and the post is in doubt", async () => {
  await using slack = await startRawService()
  slack.answer = (_, response) => void response.write(POSTED.slice(0, -1))
  await expect(post(slack.url, { timeoutMs: 50 })).rejects.toMatchObject({
    code: "no_answer",
    verdict: "unknown",
  })
})

test("so is one whose connection Slack hangs up", async () => {
  await using slack = await startRawService()
  slack.answer = (request) => void request.socket.destroy()
  await expect(post(slack.url)).rejects.toMatchObject({ code: "no_answer", verdict: "unknown" })
})

test("where nobody listens, nothing was posted", async () => {
  const slack = await startRawService()
  await slack[Symbol.asyncDispose]()
  await expect(post(slack.url)).rejects.toMatchObject({ code: "unreachable", verdict: "later" })
})

test("a redirection is not followed: what is posted goes to Slack alone, and so does the token", async () => {
  await using stranger = await startRawService()
  const called: (string | undefined)[] = []
  stranger.answer = (request, response) => {
    called.push(request.url)
    response.end(POSTED)
  }
  await using slack = await startRawService()
  slack.answer = (_, response) => void response.writeHead(307, { location: stranger.url }).end()
  await expect(post(slack.url)).rejects.toMatchObject({ verdict: "unknown" })
  expect(called).toEqual([])
})

test("answers come unpacked, though a server may pack them for whoever asks for nothing else", async () => {
  await using slack = await startRawService()
  slack.answer = ({ headers }, response) => {
    // RFC 9110, 12.5.3: without the header "any content coding is considered acceptable".
    const isPacked = headers["accept-encoding"] !== "identity"
    response.setHeader("content-type", "application/json")
    if (isPacked) response.setHeader("content-encoding", "gzip")
    response.end(isPacked ? gzipSync(POSTED) : POSTED)
  }
  await expect(post(slack.url)).resolves.toEqual({ channel: "C1", ts: "1.2" })
})

test("Slack's own `Retry-After` says when a post may be tried again", async () => {
  await using slack = await startRawService()
  slack.answer = (_, response) => void response.writeHead(429, { "retry-after": "7" }).end()
  await expect(post(slack.url)).rejects.toMatchObject({ verdict: "later", retryAfterMs: 7000 })
})
