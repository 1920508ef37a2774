import { createServer } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { storeFault } from "../../src/operating/doctor/check-redis.ts"
import { serverAt } from "../../src/store/embedded-redis.ts"
import { isStoreAway, parseInfo } from "../../src/store/server-state.ts"
import { temporaryFolder } from "../helpers/temporary-folder.ts"

test("INFO is read as every Redis writes it", () => {
  const info =
    "# Server\r\nredis_version:7.0.15\r\n\r\n# Persistence\r\naof_enabled:0\r\nmaxmemory_policy:volatile-lru\r\n"
  expect(parseInfo(info)).toEqual({
    version: "7.0.15",
    appendOnly: false,
    evictionPolicy: "volatile-lru",
    isNearlyFull: false,
    isRoomy: true,
  })
  expect(parseInfo("")).toEqual({ isNearlyFull: false, isRoomy: true })
})

test.each([
  ["used_memory:90\r\ntotal_system_memory:100\r\nmaxmemory:0\r\n", true, false],
  ["used_memory:89\r\ntotal_system_memory:100\r\nmaxmemory:0\r\n", false, false],
  ["used_memory:84\r\ntotal_system_memory:100\r\nmaxmemory:0\r\n", false, true],
  ["used_memory:90\r\ntotal_system_memory:1000\r\nmaxmemory:100\r\n", true, false],
])("a Redis is nearly full where it refuses requests: %j", (info, isNearlyFull, isRoomy) => {
  expect(parseInfo(info)).toEqual({ isNearlyFull, isRoomy })
})

/** Makes a path for a unix socket. */
async function socketPath(): Promise<string> {
  return join(await temporaryFolder(), "redis.sock")
}

test.each([
  ["-LOADING Redis is loading the dataset in memory", "loading"],
  ["-MISCONF Redis is configured to save RDB snapshots", "here"],
  ["+PONG", "here"],
])("OPS-7: a Redis that answers %j is %s, so that no second one is started", async (says, is) => {
  const path = await socketPath()
  const server = createServer((socket) => socket.once("data", () => socket.write(`${says}\r\n`)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  expect(await serverAt(path)).toBe(is)
})

test("OPS-7: a socket that nobody listens on is free", async () => {
  expect(await serverAt(await socketPath())).toBe("none")
})

test("a transaction that a full Redis discards is a full Redis, for the loops and the doctor alike", () => {
  const full = new Error("OOM command not allowed when used memory > 'maxmemory'.")
  const discarded = new Error("EXECABORT Transaction discarded because of previous errors.")
  Object.assign(discarded, { name: "ReplyError", previousErrors: [full] })
  expect(isStoreAway(discarded)).toBe(true)
  expect(storeFault(discarded)).toMatchObject({
    says: expect.stringContaining("out of memory"),
    next: expect.stringContaining("REDIS_URL"),
  })
})
