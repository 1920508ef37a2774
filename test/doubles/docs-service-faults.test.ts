import { request } from "undici"
import { expect, test } from "vitest"
import {
  create,
  createdId,
  docsServiceForTest,
  follow,
  KEY,
  PROJECT,
  read,
} from "../helpers/docs-http.ts"
import type { DocsEvent } from "../sandbox/docs-service/events.ts"
import type { DocsService } from "../sandbox/docs-service/service.ts"

/** Tries one creation on a separate connection. Without a signal, the client never aborts it. */
async function attempt(
  url: string,
  { signal } = new AbortController(),
): Promise<"answered" | "given up" | "broken"> {
  try {
    const response = await request(`${url}/v2/agent/${PROJECT}/job`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ prompt: "Explain webhooks" }),
      signal,
    })
    await response.body.text()
    return "answered"
  } catch {
    return signal.aborted ? "given up" : "broken"
  }
}

/** Resolves at the next event of this type; a "request" event marks a decided response. */
function next(service: DocsService, type: DocsEvent["type"]): Promise<void> {
  return new Promise((resolve) => {
    service.subscribe((event) => event.type === type && resolve())
  })
}

test.each([
  ["reset", "before", "broken", 0],
  ["reset", "after", "broken", 1],
  ["hang", "before", "given up", 0],
  ["hang", "after", "given up", 1],
] as const)("%s %s the effect: the caller sees %s, %i took place", async (type, when, seen, n) => {
  const { service } = await docsServiceForTest()
  service.fail({ type, when, kind: "create", times: 1 })
  const caller = new AbortController()
  const decided = next(service, "request")
  const outcome = attempt(service.url, caller)
  await decided
  expect(service.creations).toHaveLength(n)
  expect(service.jobs(PROJECT)).toHaveLength(n)
  expect(service.hour(PROJECT).used).toBe(n)
  expect(service.requests.at(-1)).toMatchObject({ kind: "create", status: "dropped" })
  // By then, a response to the first would have arrived.
  expect(await attempt(service.url)).toBe("answered")
  if (type === "hang") caller.abort()
  expect(await outcome).toBe(seen)
})

test("a truncated answer breaks off, but the creation took place", async () => {
  const { service } = await docsServiceForTest()
  service.fail({ type: "truncated", times: 1 })
  expect(await attempt(service.url)).toBe("broken")
  expect(service.creations).toHaveLength(1)
})

test("known refusals carry the status and words deployments use", async () => {
  const { service } = await docsServiceForTest()
  service.fail({ type: "expired_key", times: 1 })
  service.fail({ type: "forbidden", times: 1 })
  service.fail({ type: "rate_limited", times: 1 })
  const bodies = []
  for (let n = 0; n < 3; n++) bodies.push(await create(service, "a"))
  expect(bodies.map(({ status, body }) => [status, body])).toEqual([
    [401, { error: "The API key has expired" }],
    [403, { error: "The API key lacks the scope for this operation" }],
    [429, { error: "Too many requests" }],
  ])
  expect(bodies[2]?.headers).not.toHaveProperty("retry-after")
  expect(service.creations).toEqual([])
})

test.each([
  [{ seconds: 30 }, "30"],
  [{ seconds: 30, as: "date" }, "Fri, 20 Nov 2026 12:00:30 GMT"],
] as const)("a planned 429 says to retry after %j", async (retryAfter, header) => {
  const { service } = await docsServiceForTest()
  service.fail({ type: "rate_limited", retryAfter })
  expect((await create(service, "a")).headers["retry-after"]).toBe(header)
})

test.each([
  ["error", { error: "Planned fault 502" }, "application/json; charset=utf-8", '"Planned'],
  ["html", undefined, "text/html", "<h1>502</h1>"],
  ["empty", undefined, undefined, ""],
  ["malformed", undefined, "application/json; charset=utf-8", '{"error":"Planned fault 502"'],
  ["echo_authorization", { error: `Rejected credentials: Bearer ${KEY}` }, undefined, KEY],
] as const)("an error can have a body of kind %s", async (body, parsed, type, text) => {
  const { service } = await docsServiceForTest()
  service.fail({ type: "status", status: 502, body, headers: { "x-trace": "t1" } })
  const answer = await create(service, "a")
  expect(answer).toMatchObject({ status: 502, body: parsed, headers: { "x-trace": "t1" } })
  expect(answer.text).toContain(text)
  if (type) expect(answer.headers["content-type"]).toBe(type)
})

test("a job can report an unknown status, no ref, a wrong type, or lack a field", async () => {
  const { service } = await docsServiceForTest()
  const id = await createdId(service)
  service.fail({ type: "field", path: "status", value: "paused", times: 1 })
  service.fail({ type: "field", path: "source.ref", value: null, times: 1 })
  service.fail({ type: "field", path: "createdAt", value: 5, times: 1 })
  service.fail({ type: "field", path: "surprise.extra", value: [1], times: 1 })
  service.fail({ type: "missing_field", path: "source.repository", times: 1 })
  const reads = []
  for (let n = 0; n < 6; n++) reads.push((await read(service, id)).body)
  const whole = { id, status: "active", source: { ref: "docs-agent/change-214" }, prLink: null }
  expect(reads[0]).toMatchObject({ ...whole, status: "paused" })
  expect(reads[1]).toMatchObject({ ...whole, source: { ref: null } })
  expect(reads[2]).toMatchObject({ ...whole, createdAt: 5 })
  expect(reads[3]).toMatchObject({ ...whole, surprise: { extra: [1] } })
  expect(reads[4]).toMatchObject({ ...whole, source: { ref: "docs-agent/change-214" } })
  expect(reads[4]).not.toHaveProperty("source.repository")
  expect(reads[5]).toMatchObject({ ...whole, source: { repository: `${service.url}/acme/docs` } })
})

test("a fault hits only the operation, project and job it is meant for", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
  ]
  const { service } = await docsServiceForTest({ projects, idFor: (n) => `job-${n}` })
  service.fail({ type: "status", status: 500, kind: ["get", "message"], jobId: "job-1" })
  service.fail({ type: "status", status: 502, projectId: "prj_twin" })
  expect((await create(service, "a")).status).toBe(201)
  expect((await create(service, "b")).status).toBe(201)
  expect((await read(service, "job-1")).status).toBe(500)
  expect((await follow(service, "job-1", "more")).status).toBe(500)
  expect((await read(service, "job-2")).status).toBe(200)
  expect((await create(service, "c", "prj_twin")).status).toBe(502)
})

test("closing ends requests that hang or wait", async () => {
  const { service } = await docsServiceForTest()
  service.fail({ type: "hang", kind: "create" })
  service.fail({ type: "delay", ms: 60_000, kind: "get" })
  const seen = next(service, "request")
  const open = [attempt(service.url), read(service, "x").catch(() => "broken")]
  await seen
  await service.close()
  expect(await Promise.all(open)).toEqual(["broken", "broken"])
})
