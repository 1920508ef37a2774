import { test } from "vitest"
import { useTestBed } from "../../helpers/test-bed.ts"

const { testBed } = useTestBed({ mode: "socket" })

test.each([
  ["a rate limit", { kind: "rate_limited", retryAfter: 1 }],
  ["no answer at all", { kind: "reset", when: "before" }],
  ["a server error", { kind: "status", status: 500 }],
  ["an error of its own", { kind: "error", error: "internal_error" }],
] as const)("Socket Mode comes back after %s in answer to a reconnect", async (_name, fault) => {
  const h = await testBed()
  h.slack.fail({ ...fault, method: "apps.connections.open", times: 3 })
  h.slack.sockets.cut()
  await h.slack.until(({ sockets }) => sockets.open === 0)
  await h.slack.until(({ sockets }) => sockets.open === 2)
})
