import { execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { runBot, startBot } from "../../helpers/process.ts"
import { startRedisServer } from "../../helpers/redis-server.ts"
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
  const { slack, docs, github, env } = await startOtherParties({})
  const over = { ...env, REDIS_URL: `rediss://localhost:${port}`, PORT: "0" }
  try {
    await using bot = await startBot("all", { ...over, NODE_EXTRA_CA_CERTS: cert })
    await bot.says(/"msg":"started"/)
    const { code, output } = await runBot(["doctor"], over)
    expect(code).not.toBe(0)
    expect(output).toMatch(/certificate/i)
  } finally {
    await Promise.all([slack.close(), docs.close(), github.close()])
  }
})
