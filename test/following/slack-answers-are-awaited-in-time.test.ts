import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { secret } from "../../src/lib/secret.ts"
import { NO_SECRETS } from "../../src/lib/secret-filter.ts"
import { GitHubPulls } from "../../src/pulls/read-pull-request.ts"
import { SlackClient } from "../../src/slack/client.ts"
import { createOutbound } from "../../src/slack/write-to-slack.ts"
import { startRawService } from "../helpers/raw-service.ts"

const CARD = { text: "a card", blocks: [] }
const POSTED = JSON.stringify({ ok: true, channel: "C1", ts: "1.2" })

/** Posts to the server that stands in for Slack. */
function post(url: string, options: { timeoutMs?: number } = {}) {
  const web = new SlackClient(secret("xoxb-local"), `${url}/`, createLog("silent", []), options)
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

test("an answer whose connection Slack hangs up is given up", async () => {
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

test.each([
  ["0", 1000],
  ["7", 7000],
  ["86400", 3_600_000],
])(
  "Slack's own `Retry-After` of %s s says when a post may be tried again: within an hour",
  async (seconds, retryAfterMs) => {
    await using slack = await startRawService()
    slack.answer = (_, response) => void response.writeHead(429, { "retry-after": seconds }).end()
    await expect(post(slack.url)).rejects.toMatchObject({ verdict: "later", retryAfterMs })
  },
)

test("GitHub's own reset says when it may be read again, by our clock if its own is unknown", async () => {
  await using server = await startRawService()
  const gitHub = { token: secret("t"), apiUrl: server.url, timeoutMs: 10_000 }
  const pulls = new GitHubPulls(gitHub, NO_SECRETS)
  const pauseMs = async (headers: Record<string, string>) => {
    server.answer = (_, response) => {
      response.sendDate = false
      response.writeHead(403, { "x-ratelimit-remaining": "0", ...headers }).end()
    }
    const { answer } = await pulls.read({ owner: "acme", repo: "docs", number: 7 }, {})
    return answer.kind === "later" ? answer.pauseMs : undefined
  }
  const inHalfAnHour = String(Math.ceil(Date.now() / 1000) + 1800)
  expect(await pauseMs({ "x-ratelimit-reset": inHalfAnHour })).toBeGreaterThan(1_700_000)
  const date = "Fri, 20 Nov 2026 12:00:00 GMT"
  const reset = String(Date.parse(date) / 1000 + 30)
  expect(await pauseMs({ "x-ratelimit-reset": reset, date })).toBe(30_000)
  expect(await pauseMs({ date })).toBe(60_000)
})

const BOMB = gzipSync(
  `{"ok": true, "channel": "C1", "ts": "1.2", "pad": "${"x".repeat(5_000_000)}"}`,
)

test("no more than 4 MB of an answer is unpacked: of Slack, of a response_url, of GitHub", async () => {
  await using slack = await startRawService()
  slack.answer = (_, response) =>
    void response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(BOMB)
  await expect(post(slack.url)).rejects.toMatchObject({ verdict: "unknown" })
  const web = new SlackClient(secret("xoxb-local"), `${slack.url}/`, createLog("silent", []))
  expect((await web.http.send(slack.url)).body.length).toBe(4 * 1024 * 1024)
  const gitHub = { token: secret("t"), apiUrl: slack.url, timeoutMs: 10_000 }
  const pulls = new GitHubPulls(gitHub, NO_SECRETS)
  const ref = { owner: "acme", repo: "docs", number: 7 }
  expect((await pulls.read(ref, {})).answer).toMatchObject({ kind: "later" })
})
