import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createServer } from "node:tls"
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest"
import { runBot, startBot } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { botSays } from "../../helpers/reading.ts"
import { letGrant, startRedisServer } from "../../helpers/redis-server.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "docs-agent-tls-"))
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  const files = ["-keyout", join(dir, "key.pem"), "-out", join(dir, "cert.pem")]
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files]
  execFileSync("openssl", made, { stdio: "ignore" })
})
afterEach(() => rm(dir, { recursive: true, force: true }))

test("a rediss:// address is spoken to over TLS, with a certificate that has to be good", async () => {
  const cert = join(dir, "cert.pem")
  const port = 20_000 + (process.pid % 10_000)
  const tls = ["--tls-port", String(port), "--tls-auth-clients", "no"]
  const files = ["--tls-cert-file", cert, "--tls-key-file", join(dir, "key.pem")]
  await using _ = await startRedisServer([...tls, ...files, "--tls-ca-cert-file", cert])
  await using parties = await startOtherParties()
  const over = { ...parties.env, REDIS_URL: `rediss://localhost:${port}` }
  await using bot = await startBot("all", { ...over, NODE_EXTRA_CA_CERTS: cert })
  await bot.says(/"msg":"started"/)
  const { code, output } = await runBot(["doctor"], over)
  expect(code).not.toBe(0)
  expect(output).toMatch(/certificate.*\n +→ .*NODE_EXTRA_CA_CERTS/)
})

/** Passes TLS on to a local address as plain text. Resolves to its https:// address. */
async function behindTls(url = ""): Promise<string> {
  const { port, pathname } = new URL(url)
  const [key, cert] = await Promise.all(
    ["key.pem", "cert.pem"].map((name) => readFile(join(dir, name))),
  )
  const server = createServer({ key, cert }, (socket) => {
    const plain = connect(Number(port), "127.0.0.1")
    socket.on("error", () => plain.destroy()).pipe(plain)
    plain.on("error", () => socket.destroy()).pipe(socket)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("No port")
  return `https://localhost:${address.port}${pathname}`
}

test("Slack, the service and GitHub may have a certificate of one's own authority; the doctor names each without it", async () => {
  await using server = await startRedisServer()
  await letGrant(server.client)
  await using bed = await startProcessBed({ REDIS_URL: server.url }, { followsPulls: true })
  const { slack, docs, env } = bed
  for (const name of ["SLACK_API_URL", "DOCS_API_URL", "GITHUB_API_URL"])
    env[name] = await behindTls(env[name])
  const { output } = await runBot(["doctor"], env)
  for (const party of ["Slack", "the documentation service", "GitHub"])
    expect(output).toContain(`The certificate of ${party} isn't trusted`)

  env.NODE_EXTRA_CA_CERTS = join(dir, "cert.pem")
  const { output: after } = await runBot(["doctor"], env)
  for (const check of ["slack token", "service", "github"])
    expect(after).toMatch(new RegExp(`^ok +${check} `, "m"))
  docs.planAll({ ending: "pull_request", afterMs: 0 })
  await bed.start("all")
  const { ts: thread } = await slack.as(ADA).mention(DOCS, "write the guide")
  await botSays({ slack }, /Your pull request is ready/, { thread })
})
