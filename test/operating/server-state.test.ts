import { expect, test } from "vitest"
import { parseInfo } from "../../src/store/server-state.ts"

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
