import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { createServer } from "node:tls"
import { expect, onTestFinished, test } from "vitest"
import { runBot } from "../../helpers/process.ts"
import { startProcessBed } from "../../helpers/process-bed.ts"
import { startRedisServer } from "../../helpers/redis-server.ts"
import { temporaryFolder } from "../../helpers/temporary-folder.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

/** Makes a certificate for localhost that nobody trusts yet. @returns the paths of it and its key */
async function aCertificate() {
  const dir = await temporaryFolder()
  const [cert, key] = [join(dir, "cert.pem"), join(dir, "key.pem")]
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject]
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert], { stdio: "ignore" })
  return { cert, key }
}

test("a rediss:// address is spoken to over TLS, with a certificate that has to be good", async () => {
  const { cert, key } = await aCertificate()
  const port = 20_000 + (process.pid % 10_000)
  const tls = ["--tls-port", String(port), "--tls-auth-clients", "no"]
  const files = ["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert]
  await using _ = await startRedisServer([...tls, ...files])
  await using bed = await startProcessBed({ env: { REDIS_URL: `rediss://localhost:${port}` } })
  const { code, output } = await runBot(["doctor"], bed.env)
  expect(code).not.toBe(0)
  expect(output).toMatch(/certificate.*\n +→ .*NODE_EXTRA_CA_CERTS/)
  bed.env.NODE_EXTRA_CA_CERTS = cert
  const bot = await bed.start("all")
  await bot.says(/"msg":"started"/)
})

/** Passes TLS on to a local address as plain text. Resolves to its https:// address. */
async function behindTls(url: string, identity: { key: Buffer; cert: Buffer }): Promise<string> {
  const { port, pathname } = new URL(url)
  const server = createServer(identity, (socket) => {
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
  await using bed = await startProcessBed({ followsPulls: true })
  const { slack, docs, env } = bed
  const { cert, key } = await aCertificate()
  const identity = { cert: await readFile(cert), key: await readFile(key) }
  for (const name of ["SLACK_API_URL", "DOCS_API_URL", "GITHUB_API_URL"])
    env[name] = await behindTls(env[name] ?? "", identity)
  const { output } = await runBot(["doctor"], env)
  for (const party of ["Slack", "the documentation service", "GitHub"])
    expect(output).toContain(`The certificate of ${party} isn't trusted`)

  env.NODE_EXTRA_CA_CERTS = cert
  const { output: after } = await runBot(["doctor"], env)
  for (const check of ["slack token", "service", "github"])
    expect(after).toMatch(new RegExp(`^ok +${check} `, "m"))
  docs.planAll({ ending: "pull_request", afterMs: 0 })
  await bed.start("all")
  const { ts: thread } = await slack.as(ADA).mention(DOCS, "write the guide")
  await bed.botSays(/Your pull request is ready/, { thread })
})
