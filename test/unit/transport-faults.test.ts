import { describe, expect, test } from "vitest"
import { transportFault } from "../../src/docs/faults.ts"

/** An error of a socket as Node makes it, inside of undici's. */
function socketError(code: string, syscall: string): Error {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
  return new TypeError("fetch failed", { cause })
}

describe("was the request sent?", () => {
  test.each([
    ["ECONNREFUSED", "connect", "unreachable"],
    ["ENOTFOUND", "getaddrinfo", "unreachable"],
    ["ENETUNREACH", "connect", "unreachable"],
    ["EHOSTUNREACH", "connect", "unreachable"],
    // A connection that is open breaks like this when the network goes: something may have got through.
    ["ENETUNREACH", "write", "interrupted"],
    ["EHOSTUNREACH", "read", "interrupted"],
    ["ENETDOWN", "write", "interrupted"],
    ["ECONNRESET", "read", "interrupted"],
    ["EPIPE", "write", "interrupted"],
  ])("%s on %s: %s", (code, syscall, fault) => {
    expect(transportFault("create job", socketError(code, syscall)).fault).toBe(fault)
  })

  test("one address of several that refused says it was not, as none was connected to", () => {
    const refused = Object.assign(new Error("refused"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    })
    const all = new AggregateError([refused, refused])
    expect(transportFault("create job", new Error("failed", { cause: all })).fault).toBe(
      "unreachable",
    )
  })
})
