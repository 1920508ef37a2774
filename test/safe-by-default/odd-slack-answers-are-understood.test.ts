import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, expect, test } from "vitest"
import { createLog } from "../../src/lib/log.ts"
import { createSecretFilter, NO_SECRETS, secret } from "../../src/lib/secrets.ts"
import { GitHubPulls } from "../../src/pulls/read-pull-request.ts"
import { SlackClient } from "../../src/slack/client.ts"
import { fetchProfile } from "../../src/slack/profiles.ts"
import { createOutbound, findMessage } from "../../src/slack/write-to-slack.ts"
import { type RawService, startRawService } from "../helpers/raw-service.ts"

let slack: RawService
beforeAll(async () => {
  slack = await startRawService()
})
afterAll(async () => slack[Symbol.asyncDispose]())

const clientAt = (url: string, options = {}) =>
  new SlackClient(secret("xoxb-local"), `${url}/`, createLog("silent", []), options)

/** Returns the client of a Slack that answers this. */
function client(answer: object, options = {}) {
  slack.answer = (_, response) =>
    void response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ok: true, ...answer }))
  return clientAt(slack.url, options)
}

test("a weak password that an error code contains changes nothing of what the code means", async () => {
  const options = { secrets: createSecretFilter(["channel"]) }
  const slack = client({ ok: false, error: "channel_not_found" }, options)
  const refused = slack.chat.postMessage({ channel: "C1", text: "a" })
  await expect(refused).rejects.toMatchObject({ code: "channel_not_found", verdict: "give_up" })
})

const HOME = { team: "T1", enterprise: "E1" }
const OF_HOME = { enterprise_id: "E1" }

const MEMBER = { user: "U1", isGuest: false, isStranger: false, isBot: false }
const NOTHING = { name: null, real_name: null, is_bot: null, deleted: null, tz: null }

test.each([
  ["without a time zone", { tz: null }, MEMBER],
  ["without a profile", { profile: null }, MEMBER],
  ["without an organization", { enterprise_user: null }, MEMBER],
  ["without a workspace", { team_id: null }, MEMBER],
  ["without anything but an id", NOTHING, MEMBER],
  ["of another workspace", { team_id: "T2" }, { isStranger: true }],
  ["in no channel with the bot", { is_stranger: true }, { isStranger: true }],
  ["of the organization", { team_id: "T2", enterprise_user: OF_HOME }, { isStranger: false }],
  ["who has left", { deleted: true }, { isBot: true }],
])("a person %s is known as such", async (_, facts, known) => {
  const user = { id: "U1", team_id: "T1", name: "ada", tz: "Europe/Paris", ...facts }
  expect(await fetchProfile(client({ user }), HOME, "U1")).toMatchObject(known)
})

test("a message with a Work Object does not hide the one that is looked for", async () => {
  const card = { job: "a", part: "card" }
  const messages = [
    { ts: "3.1", metadata: { entities: [{ entity_type: "slack#/entities/task" }] } },
    { ts: "2.1", metadata: null },
    { ts: "1.1", metadata: { event_type: "docs_agent_job", event_payload: card } },
  ]
  const found = findMessage(client({ messages }), { channel: "C1" }, card)
  expect(await found).toEqual({ ts: "1.1" })
})

const IN_DOUBT = { code: "no_answer", verdict: "unknown" }
const CARD = { text: "a card", blocks: [] }
const POSTED = JSON.stringify({ ok: true, channel: "C1", ts: "1.2" })

const post = (url: string, options: { timeoutMs?: number } = {}) =>
  createOutbound(clientAt(url, options)).post({ channel: "C1" }, CARD)

test("an answer that comes to no end is given up, as where Slack hangs up, and the post is in doubt", async () => {
  slack.answer = (_, response) => void response.write(POSTED.slice(0, -1))
  await expect(post(slack.url, { timeoutMs: 50 })).rejects.toMatchObject(IN_DOUBT)
  slack.answer = (request) => void request.socket.destroy()
  await expect(post(slack.url)).rejects.toMatchObject(IN_DOUBT)
})

test("where nobody listens, nothing was posted", async () => {
  const slack = await startRawService()
  await slack[Symbol.asyncDispose]()
  await expect(post(slack.url)).rejects.toMatchObject({ code: "unreachable", verdict: "later" })
})

test("a redirection is not followed: what is posted goes to Slack alone, and so does the token", async () => {
  const called: (string | undefined)[] = []
  await using stranger = await startRawService((request, response) => {
    called.push(request.url)
    response.end(POSTED)
  })
  slack.answer = (_, response) => void response.writeHead(307, { location: stranger.url }).end()
  await expect(post(slack.url)).rejects.toMatchObject({ verdict: "unknown" })
  expect(called).toEqual([])
})

test("answers come unpacked, though a server may pack them for whoever asks for nothing else", async () => {
  slack.answer = ({ headers }, response) => {
    // RFC 9110, 12.5.3: without the header "any content coding is considered acceptable".
    const isPacked = headers["accept-encoding"] !== "identity"
    response.setHeader("content-type", "application/json")
    if (isPacked) response.setHeader("content-encoding", "gzip")
    response.end(isPacked ? gzipSync(POSTED) : POSTED)
  }
  await expect(post(slack.url)).resolves.toEqual({ channel: "C1", ts: "1.2" })
  // A gateway packs them all the same.
  const headers = { "content-type": "application/json", "content-encoding": "gzip" }
  slack.answer = (_, response) => void response.writeHead(200, headers).end(gzipSync(POSTED))
  await expect(post(slack.url)).resolves.toEqual({ channel: "C1", ts: "1.2" })
})

test.each([
  ["0", 1000],
  ["7", 7000],
  ["86400", 3_600_000],
])(
  "Slack's own `Retry-After` of %s s says when a post may be tried again: within an hour",
  async (seconds, retryAfterMs) => {
    slack.answer = (_, response) => void response.writeHead(429, { "retry-after": seconds }).end()
    await expect(post(slack.url)).rejects.toMatchObject({ verdict: "later", retryAfterMs })
  },
)

/** Reads a pull request from the server, as if it were GitHub. */
async function readPull() {
  const gitHub = { token: secret("t"), apiUrl: slack.url, timeoutMs: 10_000 }
  const pulls = new GitHubPulls(gitHub, NO_SECRETS)
  return (await pulls.read({ owner: "acme", repo: "docs", number: 7 }, {})).answer
}

test("GitHub's own reset says when it may be read again, by our clock if its own is unknown", async () => {
  const pauseMs = async (headers: Record<string, string>) => {
    slack.answer = (_, response) => {
      response.sendDate = false
      response.writeHead(403, { "x-ratelimit-remaining": "0", ...headers }).end()
    }
    const answer = await readPull()
    return answer.kind === "later" ? answer.pauseMs : undefined
  }
  const inHalfAnHour = String(Math.ceil(Date.now() / 1000) + 1800)
  expect(await pauseMs({ "x-ratelimit-reset": inHalfAnHour })).toBeGreaterThan(1_700_000)
  const date = "Fri, 20 Nov 2026 12:00:00 GMT"
  const reset = String(Date.parse(date) / 1000 + 30)
  expect(await pauseMs({ "x-ratelimit-reset": reset, date })).toBe(30_000)
  expect(await pauseMs({ date })).toBe(60_000)
})

const BOMB = gzipSync(`${POSTED.slice(0, -1)}, "pad": "${"x".repeat(5_000_000)}"}`)

test("no more than 4 MB of an answer is unpacked: of Slack, of a response_url, of GitHub", async () => {
  slack.answer = (_, response) =>
    void response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(BOMB)
  await expect(post(slack.url)).rejects.toMatchObject({ verdict: "unknown" })
  const { body } = await clientAt(slack.url).http.send(slack.url)
  expect(body.length).toBeLessThanOrEqual(4 * 1024 * 1024)
  expect(await readPull()).toMatchObject({ kind: "later" })
})
