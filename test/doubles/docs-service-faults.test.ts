import { request } from "undici"
import { expect, test } from "vitest"
import { create, docsServiceForTest, follow, KEY, PROJECT, read } from "../helpers/docs-http.ts"
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
