import { expect, test } from "vitest"
import { startProcessBed } from "../../helpers/process-bed.ts"

const TYPES = ["all", "web", "worker"] as const

test.each(TYPES)(
  "whoever asks for its health is answered, by GET and by HEAD: %s",
  async (type) => {
    await using bed = await startProcessBed()
    const bot = await bed.start(type)
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
  await using bed = await startProcessBed()
  // An address of this machine other than that of BIND_ADDRESS.
  const healthz = (port: number) => fetch(`http://127.0.0.2:${port}/healthz`)
  await expect(healthz((await bed.start("worker")).port)).rejects.toThrow("fetch failed")
  bed.env.BIND_ADDRESS = ""
  expect((await healthz((await bed.start("worker")).port)).status).toBe(200)
})
