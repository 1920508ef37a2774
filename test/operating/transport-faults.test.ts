import { describe, expect, test } from "vitest"
import { answerFault, transportFault } from "../../src/docs-service/docs-error.ts"

/** Returns an error of a socket as Node makes it, wrapped by undici's. */
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
    // An open connection breaks like this when the network fails: some data may have arrived.
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

describe("how long the service asks to wait", () => {
  const waitMs = (headers: Record<string, string>) =>
    answerFault("create job", { status: 429, headers, body: "" }, (text) => text).retryAfterMs

  test("in seconds", () => {
    expect(waitMs({ "retry-after": "30" })).toBe(30_000)
  })

  // RFC 9110: 10.2.3 allows a date, and 6.6.1 ties it to the sender's clock, that of `Date`.
  test.each(["Fri, 20 Nov 2026 12:00:00 GMT", "Thu, 01 Jan 2015 00:00:00 GMT"])(
    "until a moment of its own clock, which says %s, whatever ours says",
    (date) => {
      const until = new Date(Date.parse(date) + 30_000).toUTCString()
      expect(waitMs({ "retry-after": until, date })).toBe(30_000)
    },
  )

  test.each([
    ["0", 1000],
    ["7200", 3_600_000],
    ["999999", 3_600_000],
  ])("for %s s, within a second and an hour", (seconds, ms) => {
    expect(waitMs({ "retry-after": seconds })).toBe(ms)
  })

  test("until a moment of our clock, if the answer does not say what its own shows", () => {
    const until = (ms: number) => waitMs({ "retry-after": new Date(Date.now() + ms).toUTCString() })
    expect(until(1_800_000)).toBeGreaterThan(1_700_000)
    expect(until(1_800_000)).toBeLessThanOrEqual(1_800_000)
    expect(until(-1_800_000)).toBe(1000)
    expect(waitMs({ "retry-after": "soon" })).toBeUndefined()
  })
})
