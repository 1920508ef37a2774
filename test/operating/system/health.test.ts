import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { type BotProcess, startBot } from "../../helpers/process.ts"
import { type RedisServer, startRedisServer } from "../../helpers/redis-server.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

/** Address of this machine other than the one in `BIND_ADDRESS`. */
const ANOTHER = "127.0.0.2"

let server: RedisServer
const running: AsyncDisposable[] = []

beforeAll(async () => {
  server = await startRedisServer()
})
afterEach(async () => {
  for (const one of running.splice(0)) await one[Symbol.asyncDispose]()
})
afterAll(() => server[Symbol.asyncDispose]())

async function start(
  type: "all" | "web" | "worker",
  without: string[] = [],
  more: Record<string, string> = {},
): Promise<BotProcess> {
  const parties = await startOtherParties()
  const kept = Object.entries(parties.env).filter(([name]) => !without.includes(name))
  const bot = await startBot(type, {
    ...Object.fromEntries(kept),
    REDIS_URL: server.url,
    PORT: "0",
    ...more,
  })
  running.push(bot, parties)
  return bot
}

test.each(["all", "web", "worker"] as const)(
  "whoever asks for its health is answered, by GET and by HEAD: %s",
  async (type) => {
    const { port } = await start(type)
    const answer = (method: string, path: string, host = "127.0.0.1") =>
      fetch(`http://${host}:${port}${path}`, { method })
    for (const path of ["/healthz", "/readyz"])
      for (const method of ["GET", "HEAD"]) {
        const { status } = await answer(method, path)
        expect([method, path, status]).toEqual([method, path, 200])
      }
    expect(await (await answer("HEAD", "/readyz")).text()).toBe("")
    const metrics = await (await answer("GET", "/metrics")).text()
    expect(metrics).toMatch(new RegExp(`docs_agent_build_info\\{type="${type}",version="\\d`))
  },
)

test("it listens on every interface, and with BIND_ADDRESS on that one alone", async () => {
  const open = await start("worker", ["BIND_ADDRESS"])
  expect((await fetch(`http://${ANOTHER}:${open.port}/healthz`)).status).toBe(200)
  const bound = await start("worker", [], { BIND_ADDRESS: "127.0.0.1" })
  await expect(fetch(`http://${ANOTHER}:${bound.port}/healthz`)).rejects.toThrow("fetch failed")
})
