import { afterEach, beforeEach, expect, test } from "vitest"
import type { ReadingBed } from "../../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../../helpers/redis-server.ts"
import { startTcpProxy } from "../../helpers/tcp-proxy.ts"
import { bedAt } from "../../helpers/test-bed.ts"
import { ADA, DOCS } from "../../sandbox/slack/index.ts"

let server: RedisServer
let testBed: ReadingBed
let log: string[]

beforeEach(async () => {
  server = await startRedisServer()
  log = []
})
afterEach(async () => {
  await testBed[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function aTestBed(user = "", port = server.port): Promise<void> {
  // Waits as long as every deployment's: quick checks would make up for lost messages.
  testBed = await bedAt(`redis://${user}127.0.0.1:${port}`, {
    timing: {},
    env: { LOG_LEVEL: "info" },
    log: { write: (line) => void log.push(line) },
  })
}

/** Makes a request and waits until the bot reports its pull request. */
async function aWholeJob(prompt: string): Promise<void> {
  testBed.docs.plan({ ending: "pull_request", afterMs: 100 })
  await testBed.slack.as(ADA).slash(DOCS, "/docs-agent", prompt)
  const card = await testBed.botSays(new RegExp(prompt))
  await testBed.botSays(/pull/i, { thread: card.ts })
}

test("a subscription that is cut, again and again, costs no job", async () => {
  await aTestBed()
  for (const prompt of ["fix the quickstart", "fix the footer", "fix the header"]) {
    await server.client.call("CLIENT", "KILL", "TYPE", "pubsub")
    await aWholeJob(prompt)
  }
  expect(log.join("\n")).not.toContain("pub/sub isn't working")
})

test("a Redis whose user may not use channels: all goes on, and the log says what to allow", async () => {
  await server.client.call("ACL", "SETUSER", "bot", "on", ">word", "~*", "+@all", "resetchannels")
  await aTestBed("bot:word@")
  await aWholeJob("fix the quickstart")
  await expect
    .poll(() => log.join("\n"))
    .toContain("Allow this Redis user to publish and subscribe")
  expect(log.filter((line) => line.includes("pub/sub isn't working"))).toHaveLength(1)
})

test("a wrong password is the only fault that the log names", async () => {
  await aTestBed("bot:wrong@")
  await expect.poll(() => log.join("\n")).toContain("not ready yet")
  expect(log.join("\n")).toContain("Redis rejected the user or password in REDIS_URL")
  expect(log.join("\n")).not.toContain("pub/sub isn't working")
})

test("a proxy that never answers a subscription: all goes on", async () => {
  await using proxy = await startTcpProxy(server.port, /subscribe/i)
  await aTestBed("", proxy.port)
  await aWholeJob("fix the quickstart")
})
