import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createLog } from "../../../src/lib/log.ts"
import { secret } from "../../../src/lib/secrets.ts"
import { connectRedis } from "../../../src/store/connect.ts"
import { readyz } from "../../helpers/of-itself.ts"
import type { ReadingBed } from "../../helpers/reading.ts"
import { type RedisServer, startRedisServer } from "../../helpers/redis-server.ts"
import { startTcpProxy, type TcpProxy } from "../../helpers/tcp-proxy.ts"
import { bedAt } from "../../helpers/test-bed.ts"
import { ADA, ADA_DM, BEN, DOCS } from "../../sandbox/slack/index.ts"

let server: RedisServer
let proxy: TcpProxy
let testBed: ReadingBed

beforeAll(async () => {
  server = await startRedisServer()
  proxy = await startTcpProxy(server.port)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await server.client.flushall()
  // Waits as long as every deployment's bot.
  testBed = await bedAt(`redis://127.0.0.1:${proxy.port}`, { timing: {} })
})
afterEach(() => testBed[Symbol.asyncDispose]())

const call = ([name = "", ...args]: string[]) => server.client.call(name, ...args)
const command = (text: string) => () => call(text.split(" "))

const FAULTS = [
  ["killed", /isn't responding/, () => server.kill(), () => server.restart()],
  ["frozen", /isn't responding/, () => server.freeze(), () => server.thaw()],
  ["silent behind a dead network", /isn't responding/, () => proxy.silence(), () => proxy.mend()],
  [
    "a replica that takes no writes",
    /read-only/,
    command("REPLICAOF 127.0.0.1 1"),
    command("REPLICAOF NO ONE"),
  ],
  [
    "out of memory",
    /out of memory/,
    command("CONFIG SET maxmemory 1"),
    command("CONFIG SET maxmemory 0"),
  ],
  [
    "behind another password",
    /password/,
    async () => {
      await call(["CONFIG", "SET", "requirepass", "another"])
      // Disconnects the bot, so that it meets the server's current rules.
      await command("CLIENT KILL TYPE normal SKIPME yes")()
    },
    async () => {
      const client = new Redis({ port: server.port, password: "another" })
      await client.config("SET", "requirepass", "")
      client.disconnect()
    },
  ],
] as const

const ask = (user: string, words: string) =>
  testBed.slack.as(user).slash(DOCS, "/docs-agent", words)
const closings = () =>
  testBed.botMessages().filter((m) => m.threadTs && /request is ready/.test(m.text))

describe.each(FAULTS)("Redis is %s", (_, says, hurt, heal) => {
  test("people get a clear answer in time, /readyz says why, and all goes on by itself", async () => {
    testBed.docs.planAll({ ending: "never", afterMs: 0 })
    await ask(ADA, "asked well before")
    await testBed.botSays(/Working on it/)
    await hurt()
    try {
      const away = await ask(BEN, "asked in the meantime")
      expect(away.ms).toBeLessThan(3000)
      expect(away.error).toBeUndefined()
      expect(away.shown?.text).toMatch(/Something's wrong on my end/)
      const typed = await testBed.slack.as(ADA).slash(ADA_DM, "/docs-agent", "asked directly")
      expect(typed.ms).toBeLessThan(3000)
      // A process that dies from now on says nothing more.
      expect(testBed.direct(ADA)).toMatchObject([
        { text: expect.stringMatching(/Something's wrong on my end/) },
      ])
      await expect.poll(() => readyz(testBed.bot)).toMatchObject({ status: 503 })
      expect((await readyz(testBed.bot)).text).toMatch(says)
      // The job ends at the service while the bot can't store anything.
      testBed.docs.finish(testBed.docs.creations[0]?.jobId ?? "", "pull_request")
    } finally {
      await heal()
    }

    await testBed.slack.until(() => closings().length === 1, { timeoutMs: 90_000 })
    await expect.poll(() => readyz(testBed.bot)).toMatchObject({ status: 200 })
    testBed.docs.planAll({ ending: "pull_request", afterMs: 20 })
    expect((await ask(ADA, "asked well after")).shown).toBeUndefined()
    await testBed.slack.until(() => closings().length >= 2, { timeoutMs: 90_000 })
    const prompts = testBed.docs.creations.map(({ prompt }) => prompt)
    expect(new Set(prompts).size).toBe(prompts.length)
    expect(prompts).toContain("asked well after")
  })

  test("a creation in flight is written down when it is back, neither lost nor repeated", async () => {
    testBed.docs.planAll({ ending: "never", afterMs: 0 })
    testBed.docs.fail({ type: "delay", ms: 500, when: "after", kind: "create" })
    await ask(ADA, "one in flight")
    await testBed.docsUntil(({ creations }) => creations.length === 1)
    await hurt()
    try {
      await testBed.docsUntil(({ requests }) => requests.some(({ kind }) => kind === "create"))
    } finally {
      await heal()
    }

    await testBed.botSays(/Working on it/)
    testBed.docs.finish(testBed.docs.creations[0]?.jobId ?? "", "pull_request")
    await testBed.slack.until(() => closings().length === 1, { timeoutMs: 90_000 })
    expect(testBed.docs.creations).toHaveLength(1)
  })
})

test.each([
  ["full", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"],
  ["as a replica", "REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"],
])(
  "the client of requests says that a Redis is back which comes back %s, and stays connected",
  async (_, done, undone) => {
    const lines: string[] = []
    const log = createLog("info", [], { write: (line) => lines.push(line) })
    const url = secret(`redis://127.0.0.1:${proxy.port}`)
    const client = connectRedis({ kind: "server", url }, "requests", log)
    const said = (what: RegExp) => lines.filter((line) => what.test(line)).length
    try {
      await client.ping()
      await proxy.cut()
      await expect.poll(() => said(/isn't responding/)).toBe(1)
      await command(done)()
      await proxy.mend()
      await expect.poll(() => said(/Redis is back/)).toBe(1)
      const id = await client.client("ID")
      expect(await client.client("ID")).toBe(id)
    } finally {
      client.disconnect()
      await command(undone)()
    }
  },
)

test("a database that Redis does not have is not taken for the first one", async () => {
  const url = `${server.url}/99`
  const lines: string[] = []
  const log = createLog("error", [], { write: (line) => lines.push(line) })
  const client = connectRedis({ kind: "server", url: secret(url) }, "worker", log)
  await new Promise<void>((resolve) => client.once("end", () => resolve()))
  await expect(client.set("into", "the wrong one")).rejects.toThrow(/closed/)
  expect(await server.client.get("into")).toBeNull()
  expect(lines.join()).toContain("DB index is out of range")
})
