import { expect, test } from "vitest"
import { parseInfo } from "../../src/store/server-facts.ts"

test("INFO is read as every Redis writes it", () => {
  const info =
    "# Server\r\nredis_version:7.0.15\r\n\r\n# Persistence\r\naof_enabled:0\r\nmaxmemory_policy:volatile-lru\r\n"
  expect(parseInfo(info)).toEqual({
    version: "7.0.15",
    appendOnly: false,
    evictionPolicy: "volatile-lru",
  })
  expect(parseInfo("")).toEqual({})
})
