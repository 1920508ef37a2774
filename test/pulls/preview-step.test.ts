import { expect, test } from "vitest"
import { DocsError, type DocsFault } from "../../src/docs-service/docs-error.ts"
import type { Preview } from "../../src/jobs/job.ts"
import { afterRequest, afterStatus } from "../../src/pulls/preview-step.ts"

const HALF_HOUR_MS = 30 * 60_000
const asked: Preview = { state: "asked", by: "U1", at: 0 }
const building: Preview = { ...asked, state: "building", statusId: "s" }
const intervals = { soonestMs: 3000, longestMs: 20_000 }
const fault = (kind: DocsFault, status?: number, more = {}) =>
  new DocsError({ operation: "build preview", fault: kind, status, ...more })

test.each([
  ["an id", { statusId: "s" }, { preview: { state: "building", statusId: "s" }, againMs: 3000 }],
  ["a link alone", { url: "https://x" }, { preview: { state: "ready", url: "https://x" } }],
  ["neither", {}, { preview: { state: "failed", fault: "not_started" } }],
  ["a 429", fault("rate_limited", 429, { retryAfterMs: 7000 }), { preview: asked, againMs: 7000 }],
  ["no connection", fault("unreachable"), { preview: asked, againMs: 15_000 }],
  ["no answer", fault("interrupted"), { preview: { state: "unknown" } }],
  ["a 500", fault("server_error", 500), { preview: { state: "unknown" } }],
  [
    "a 400",
    fault("bad_request", 400, { detail: "no branch" }),
    { preview: { state: "failed", summary: "no branch" } },
  ],
] as const)("%s to the request", (_, answer, step) => {
  expect(afterRequest(asked, answer, 1000, intervals)).toMatchObject(step)
})

test.each([403, 404, 405, 501])("%i: there are no previews", (status) => {
  const answer = fault(status === 404 ? "not_found" : "server_error", status)
  expect(afterRequest(asked, answer, 1000, intervals)).toBe("absent")
})

test("what the service refuses again and again is asked for ever more rarely", () => {
  const refused = fault("rate_limited", 429, { retryAfterMs: 1000 })
  expect(afterRequest(asked, refused, 60_000, intervals)).toMatchObject({
    againMs: 30_000,
  })
})

test("what the service takes for no half hour has failed", () => {
  const step = afterRequest(asked, fault("rate_limited", 429), HALF_HOUR_MS, intervals)
  expect(step).toMatchObject({ preview: { state: "failed" } })
})

const files = 3
test.each([
  ["success", { status: "success", files }, 1000, { preview: { state: "ready", files } }],
  [
    "failure",
    { status: "failure", summary: "no" },
    1000,
    { preview: { state: "failed", summary: "no" } },
  ],
  ["running", { status: "running" }, 1000, { preview: building, againMs: 3000 }],
  ["running for long", { status: "running" }, 10 * 60_000, { preview: building, againMs: 20_000 }],
  ["a 500", fault("server_error", 500), 1000, { preview: building, againMs: 3000 }],
  ["silence", fault("interrupted"), HALF_HOUR_MS, { preview: { state: "failed" } }],
] as const)("%s of a build", (_, answer, now, step) => {
  expect(afterStatus(building, answer, now, intervals)).toMatchObject(step)
})

test.each([
  [59_000, "building"],
  [60_000, "unknown"],
])("a build that the service does not find after %i ms is %s", (ms, state) => {
  const answer = fault("not_found", 404)
  expect(afterStatus(building, answer, ms, intervals).preview.state).toBe(state)
})
