import { expect, test } from "vitest"
import { startBot } from "../../helpers/process.ts"
import { useTestRedis } from "../../helpers/redis.ts"
import { startOtherParties } from "../../sandbox/test-bed.ts"

const redis = useTestRedis()
const TYPES = ["all", "web", "worker"] as const

test.each(TYPES)(
  "whoever asks for its health is answered, by GET and by HEAD: %s",
  async (type) => {
    await using parties = await startOtherParties()
    await using bot = await startBot(type, { ...parties.env, REDIS_URL: redis().url })
    const answer = (method: string, path: string) =>
      fetch(`http://127.0.0.1:${bot.port}${path}`, { method })
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
  await using parties = await startOtherParties()
  const { BIND_ADDRESS: address = "", ...env } = parties.env
  const onAll = { ...env, REDIS_URL: redis().url }
  // An address of this machine other than that of BIND_ADDRESS.
  const healthz = (port: number) => fetch(`http://127.0.0.2:${port}/healthz`)
  await using open = await startBot("worker", onAll)
  expect((await healthz(open.port)).status).toBe(200)
  await using bound = await startBot("worker", { ...onAll, BIND_ADDRESS: address })
  await expect(healthz(bound.port)).rejects.toThrow("fetch failed")
})
