import { once } from "node:events"
import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { stringify } from "node:querystring"
import { expect, onTestFinished } from "vitest"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS, signatureHeaders } from "../../sandbox/slack/index.ts"
import { SECRETS } from "../../sandbox/test-bed.ts"

const { test } = useTestBed()

/** Number of connections, above the limit in .github/SECURITY.md. */
const SENDERS = 560

/** Opens connections that send half of the headers, and reopens each that is closed. */
async function besiege(port: number): Promise<{ dropped: () => number }> {
  const sockets = new Set<Socket>()
  let [dropped, over] = [0, false]
  const open = () => {
    if (over) return
    const socket = connect(port, "127.0.0.1")
    sockets.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => {
      sockets.delete(socket)
      dropped += 1
      setImmediate(open)
    })
    socket.write("POST /slack/events HTTP/1.1\r\n")
  }
  onTestFinished(() => {
    over = true
    for (const socket of sockets) socket.destroy()
  })
  for (let n = 0; n < SENDERS; n += 1) open()
  await expect.poll(() => dropped, { timeout: 10_000 }).toBeGreaterThan(SENDERS)
  return { dropped: () => dropped }
}

async function get(port: number, path: string): Promise<number | undefined> {
  const [answer] = await once(request({ port, path, agent: false }).end(), "response")
  answer.resume()
  return answer.statusCode
}

test("whoever opens hundreds of connections, again and again, locks out neither Slack nor who asks for health", async (h) => {
  const { dropped } = await besiege(h.bot.port)
  for (let n = 0; n < 10; n += 1) {
    const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
    expect(asked).toMatchObject({ ok: true })
    expect(await get(h.bot.port, "/healthz")).toBe(200)
  }
  expect(dropped()).toBeGreaterThan(SENDERS)
})

test("SAFE-1: a thousand signed commands over as many connections at once are all answered", async (h) => {
  const { payload } = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
  const sockets = Array.from({ length: 1000 }, () => connect(h.bot.port, "127.0.0.1"))
  const answers = sockets.map(async (socket) => {
    const [answer] = await once(socket, "data").catch((error: Error) => [error.message])
    return String(answer).split("\r\n")[0]
  })
  sockets.forEach((socket, n) => {
    const command = signedCommand({ ...payload, trigger_id: `${n}.of.a.thousand` })
    socket.once("connect", () => socket.write(command))
  })
  expect([...new Set(await Promise.all(answers))]).toEqual(["HTTP/1.1 200 OK"])
  for (const socket of sockets) socket.destroy()
})

function signedCommand(form: Readonly<Record<string, string>>): string {
  const body = stringify(form)
  const headers = {
    host: "bot",
    ...signatureHeaders(SECRETS.signingSecret, Math.floor(Date.now() / 1000), body),
    "content-type": "application/x-www-form-urlencoded",
    "content-length": body.length,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /slack/events HTTP/1.1\r\n${lines.join("")}\r\n${body}`
}
