import { describe, expect, test } from "vitest"
import { answerFault, transportFault } from "../../src/docs-service/docs-error.ts"

test.each([
  ["ECONNREFUSED", "connect", "unreachable"],
  ["ENOTFOUND", "getaddrinfo", "unreachable"],
  ["ENETUNREACH", "connect", "unreachable"],
  // An open connection breaks like this when the network fails: some data may have arrived.
  ["ENETUNREACH", "write", "interrupted"],
  ["ECONNRESET", "read", "interrupted"],
])("was the request sent? %s on %s: %s", (code, syscall, fault) => {
  // An error of a socket as Node makes it, wrapped by undici's.
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
  const error = new TypeError("fetch failed", { cause })
  expect(transportFault("create job", error).fault).toBe(fault)
  // One of several addresses, none of which was connected to, says the same.
  const several = new Error("failed", { cause: new AggregateError([cause, cause]) })
  expect(transportFault("create job", several).fault).toBe(fault)
})

describe("how long the service asks to wait", () => {
  const waitMs = (headers: Record<string, string>) =>
    answerFault("create job", { status: 429, headers, body: "" }, (text) => text).retryAfterMs

  test.each([
    ["30", 30_000],
    ["0", 1000],
    ["7200", 3_600_000],
  ])("for %s s, within a second and an hour", (seconds, ms) => {
    expect(waitMs({ "retry-after": seconds })).toBe(ms)
  })

  // RFC 9110: 10.2.3 allows a date, and 6.6.1 ties it to the sender's clock, that of `Date`.
  test("until a moment of its own clock, whatever ours says", () => {
    const date = "Thu, 01 Jan 2015 00:00:00 GMT"
    const until = "Thu, 01 Jan 2015 00:00:30 GMT"
    expect(waitMs({ "retry-after": until, date })).toBe(30_000)
  })

  test("until a moment of our clock, if the answer does not say what its own shows", () => {
    const until = (ms: number) => waitMs({ "retry-after": new Date(Date.now() + ms).toUTCString() })
    expect(until(1_800_000)).toBeGreaterThan(1_700_000)
    expect(until(1_800_000)).toBeLessThanOrEqual(1_800_000)
    expect(until(-1_800_000)).toBe(1000)
    expect(waitMs({ "retry-after": "soon" })).toBeUndefined()
  })
})
