import { expect, test } from "vitest"
import { secret } from "../../src/config/secret.ts"
import { connectRedis } from "../../src/redis/connect.ts"
import { createLog } from "../../src/runtime/log.ts"

test("the line about a Redis that is away says why", async () => {
  let write: (line: string) => void = () => {}
  const said = new Promise<string>((resolve) => {
    write = resolve
  })
  const log = createLog("error", [], { write: (line) => write(line) })
  // Port 1 is nobody's.
  const address = { kind: "server", url: secret("redis://127.0.0.1:1") } as const
  const client = connectRedis(address, "front", log)

  expect(JSON.parse(await said)).toMatchObject({
    store: "front",
    error: { message: expect.stringContaining("ECONNREFUSED") },
    msg: "Redis is away",
  })
  client.disconnect()
})
