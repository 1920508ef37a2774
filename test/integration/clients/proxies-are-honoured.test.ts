import { once } from "node:events"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { botSays } from "../../helpers/reading.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/seed/ids.ts"

const testBed = useTestBed()

/** A proxy as companies have it, and the hosts that were asked for. */
async function startProxy() {
  const asked = new Set<string>()
  const server = createServer().on("connect", ({ url = "" }, near, head) => {
    asked.add(url)
    const [host, port] = url.split(":")
    const far = connect(Number(port), host, () => {
      near.write("HTTP/1.1 200 OK\r\n\r\n")
      if (head.length > 0) far.write(head)
      far.pipe(near).pipe(far)
    })
    for (const side of [near, far]) side.on("error", () => side.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test.each(["http", "socket"] as const)(
  "Slack and the service are reached through a proxy where one is set, by %s",
  async (mode) => {
    const proxy = await startProxy()
    vi.stubEnv("HTTP_PROXY", proxy.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    const h = await testBed({ mode })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart page")
    await botSays(h, /request is ready/)
    const { config } = h.services
    expect(proxy.asked).toContain(new URL(config.slack.apiUrl).host)
    expect(proxy.asked).toContain(new URL(config.docs.baseUrl).host)
  },
)

test("and not for the hosts that are left out of it", async () => {
  const proxy = await startProxy()
  vi.stubEnv("HTTP_PROXY", proxy.url)
  vi.stubEnv("NO_PROXY", "127.0.0.1")
  onTestFinished(() => void vi.unstubAllEnvs())
  const h = await testBed()
  await h.slack.as(ADA).slash(DOCS, "/docs-agent", "fix the quickstart page")
  await botSays(h, /requested a docs change/)
  expect([...proxy.asked]).toEqual([])
})
