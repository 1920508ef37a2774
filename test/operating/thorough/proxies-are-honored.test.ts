import { connect } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { createLog } from "../../../src/lib/log.ts"
import { secret } from "../../../src/lib/secrets.ts"
import { createReadFile } from "../../../src/slack/accepted-text-files.ts"
import { SlackClient } from "../../../src/slack/client.ts"
import { createOutbound } from "../../../src/slack/write-to-slack.ts"
import { askUntil } from "../../helpers/asked.ts"
import { findingsOf } from "../../helpers/of-itself.ts"
import { startRawService } from "../../helpers/raw-service.ts"
import { useTestBed } from "../../helpers/test-bed.ts"
import { listen } from "../../sandbox/kit/http-server.ts"

const { testBed } = useTestBed()

function setProxy(url: string): void {
  vi.stubEnv("HTTP_PROXY", url)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/**
 * Sets a proxy for the test that records requested hosts and the local ports of its connections to
 * them, or refuses all with a status.
 */
async function startProxy(refusal?: number) {
  const asked = new Set<string>()
  const ports = new Set<number | undefined>()
  const { url, server } = await listen(0, () => {})
  server.on("connect", ({ url: address = "" }, near, head) => {
    asked.add(address)
    if (refusal) return near.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const [host, port] = address.split(":")
    const far = connect(Number(port), host, () => {
      ports.add(far.localPort)
      near.write("HTTP/1.1 200 OK\r\n\r\n")
      if (head.length > 0) far.write(head)
      far.pipe(near).pipe(far)
    })
    for (const side of [near, far]) side.on("error", () => side.destroy())
  })
  setProxy(url)
  onTestFinished(() => void server.close())
  return { asked, ports }
}

test.each(["http", "socket"] as const)(
  "every other party is reached through a proxy where one is set, by %s",
  async (mode) => {
    const proxy = await startProxy()
    const h = await testBed({ mode, followsPulls: true })
    h.docs.planAll({ ending: "pull_request", afterMs: 20 })
    await askUntil(h, "fix the quickstart page", /request is ready/)
    const { slack, docs, github } = h.services.config
    for (const url of [slack.apiUrl, docs.baseUrl, github?.apiUrl ?? ""])
      await expect.poll(() => [...proxy.asked]).toContain(new URL(url).host)
  },
)

test("files go through the proxy as well, up and down", async () => {
  await using far = await startRawService()
  const proxy = await startProxy()
  const web = new SlackClient(secret("xoxb-local"), `${far.url}/api/`, createLog("silent", []))
  const file = { id: "F1", name: "a.md", mimetype: "text/markdown" }
  const direct: string[] = []
  far.answer = ({ url = "", socket }, response) => {
    if (!proxy.ports.has(socket.remotePort)) direct.push(url)
    if (url.startsWith("/file")) return void response.end("the words of a file")
    const url_private = `${far.url}/file`
    const answer = {
      ok: true,
      upload_url: url_private,
      file_id: "F1",
      file: { ...file, url_private },
    }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(answer))
  }
  const reading = createReadFile(web)(file, 5000)
  expect(await reading).toMatchObject({ text: "the words of a file" })
  await createOutbound(web).upload({ channel: "C1" }, "a.csv", Buffer.from("a"))
  expect(direct).toEqual([])
})

test("no proxy is used for the hosts that `NO_PROXY` names", async () => {
  const proxy = await startProxy()
  vi.stubEnv("NO_PROXY", "127.0.0.1")
  const h = await testBed()
  await askUntil(h, "fix the quickstart page", /requested a docs change/)
  expect([...proxy.asked]).toEqual([])
  await h.docsUntil(({ creations }) => creations.length === 1)
})

test.each([
  [407, /The proxy in HTTPS_PROXY demands a login \(407\)[\s\S]*http:\/\/USER:PASSWORD/],
  [403, /The proxy in HTTPS_PROXY refused the connection to Slack \(403\)/],
])(
  "a proxy that answers %i is what the doctor names, before each party, and nobody else",
  async (status, says) => {
    const h = await testBed({ followsPulls: true })
    await startProxy(status)
    const findings = await findingsOf(h)
    const [token] = findings.filter(({ check }) => check === "slack token")
    expect(token?.level).toBe("fault")
    expect(`${token?.says} ${token?.next}`).toMatch(says)
    const named = findings.filter(({ says }) => says.includes("HTTPS_PROXY"))
    expect(named.filter(({ says }) => says.includes(`(${status})`))).toHaveLength(3)
    expect(findings).not.toContainEqual(expect.objectContaining({ level: "fault", check: "redis" }))
  },
)

test.each([
  ["http://proxy.invalid:3128", /^ENOTFOUND|EAI_AGAIN$/],
  ["http://127.0.0.1:1", /^ECONNREFUSED$/],
])(
  "a proxy at %s that can't be reached is what the doctor names, and no party's address",
  async (url, code) => {
    const h = await testBed({ followsPulls: true })
    setProxy(url)
    const faults = (await findingsOf(h)).filter(({ level }) => level === "fault")
    for (const [n, party] of ["Slack", "the documentation service", "GitHub"].entries()) {
      expect(faults[n]?.says).toMatch(`so ${party} can't be reached either`)
      expect(/\((\w+)\)/.exec(faults[n]?.says ?? "")?.[1]).toMatch(code)
      expect(faults[n]?.next).toMatch(/^Correct the proxy's address in HTTPS_PROXY/)
    }
    expect(faults).toHaveLength(3)
  },
)
