import { once } from "node:events"
import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()

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

test("whoever opens hundreds of connections, again and again, locks out neither Slack nor who asks for health", async () => {
  const h = await testBed()
  const { dropped } = await besiege(h.bot.port)
  for (let n = 0; n < 10; n += 1) {
    const asked = await h.slack.as(ADA).slash(DOCS, "/docs-agent", "help")
    expect(asked).toMatchObject({ ok: true })
    expect(await get(h.bot.port, "/healthz")).toBe(200)
  }
  expect(dropped()).toBeGreaterThan(SENDERS)
})
