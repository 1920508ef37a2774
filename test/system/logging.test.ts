import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { runBot, startBot } from "../helpers/process.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"
import { eventsUrl, startOtherParties } from "../sandbox/test-bed.ts"

const PASSWORD = "canary-redis-password"

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address ? address.port : 0
}

/** A redis-server behind a password, as a host gives one out. */
async function startGuardedRedis(port: number) {
  const args = [
    "--port",
    String(port),
    "--requirepass",
    PASSWORD,
    "--save",
    "",
    "--bind",
    "127.0.0.1",
  ]
  const child = spawn("redis-server", args, { stdio: ["ignore", "pipe", "ignore"] })
  for await (const chunk of child.stdout) if (/Ready to accept/.test(String(chunk))) break
  const gone = once(child, "exit")
  const stop = async () => {
    child.kill("SIGKILL")
    await gone
  }
  onTestFinished(stop)
  return { stop }
}

test("the password of Redis and the words of people are never printed", async () => {
  const port = await freePort()
  const redis = await startGuardedRedis(port)
  const { slack, docs, env: base } = await startOtherParties({})
  await using _slack = slack
  await using _docs = docs
  docs.planAll({ ending: "pull_request", afterMs: 20 })
  const env = { ...base, REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${port}`, PORT: "0" }
  await using bot = await startBot("all", { ...env, POLL_MIN_MS: "50" })
  slack.setEventsUrl(eventsUrl(bot.port))

  await slack.as(ADA).slash(DOCS, "/docs-agent", "quiet canary words")
  await bot.says(/"msg":"closing reply posted"/)
  expect(bot.lines.join("\n")).not.toContain("quiet canary words")

  await redis.stop()
  await bot.says(/Redis is unreachable/)
  const again = await startGuardedRedis(port)
  await bot.says(/Redis is reachable again/)
  const refused = await runBot(["doctor"], {
    ...env,
    REDIS_URL: `redis://:wrong-${PASSWORD}@127.0.0.1:${port}`,
  })
  expect(refused.output).toMatch(/fault +redis +Redis rejected the user or password/)
  expect(refused.output).toContain("Correct the user and password in REDIS_URL")
  await again.stop()
  for (const text of [...bot.lines, refused.output]) expect(text).not.toContain(PASSWORD)
})
