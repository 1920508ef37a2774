import { expect, test } from "vitest"
import { createLog } from "../../../src/lib/log.ts"
import { secret } from "../../../src/lib/secrets.ts"
import { accessOf, connectRedis } from "../../../src/store/connect.ts"
import { isStoreAway } from "../../../src/store/server-state.ts"

test("in a cluster too a command that somebody waits for ends in time while no node answers", async () => {
  const urls = ["redis://127.0.0.1:1", "redis://127.0.0.1:2"].map(secret)
  const client = connectRedis({ kind: "cluster", urls }, "requests", createLog("silent", []))
  const began = performance.now()

  const error = await client.get("x").catch((error: unknown) => error)

  expect(isStoreAway(error)).toBe(true)
  expect(performance.now() - began).toBeLessThan(3000)
  client.disconnect()
})

test("user, password and TLS of a cluster's addresses are for all its nodes", () => {
  expect(accessOf(["redis://a:1", "redis://b:2"])).toEqual({})
  expect(accessOf(["rediss://a:1", "rediss://bot:p%40ss@b:2"])).toEqual({
    username: "bot",
    password: "p@ss",
    tls: {},
  })
})
