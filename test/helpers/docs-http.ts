import { request } from "undici"
import { onTestFinished } from "vitest"
import {
  type DocsService,
  type DocsServiceOptions,
  startDocsService,
} from "../sandbox/docs-service/service.ts"
import { parseJson } from "../sandbox/kit/json.ts"

export const KEY = "svc_test_key"
export const PROJECT = "prj_docs"

/**
 * Starts the local documentation service for one test, with one project and a clock that stands
 * still, and closes it when the test ends.
 */
export async function docsServiceForTest(
  options: Partial<DocsServiceOptions> = {},
): Promise<{ service: DocsService; clock: { now: number } }> {
  const clock = { now: Date.UTC(2026, 10, 20, 12) }
  const projects = [{ id: PROJECT, key: KEY }]
  const service = await startDocsService({ projects, now: () => clock.now, ...options })
  onTestFinished(() => service.close())
  return { clock, service }
}

/** Sends one raw request, with the project's key unless other headers are given. */
export async function call(
  service: DocsService,
  method: "GET" | "POST",
  path: string,
  { body, headers }: { body?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const json = { authorization: `Bearer ${KEY}`, "content-type": "application/json" }
  const more = body === undefined ? {} : { body }
  return requestRaw(`${service.url}${path}`, { method, headers: headers ?? json, ...more })
}

export type Answer = Awaited<ReturnType<typeof requestRaw>>

/** Sends a request and follows no redirect. `body` is the parsed one, if it is JSON. */
export async function requestRaw(...of: Parameters<typeof request>) {
  const response = await request(...of)
  const text = await response.body.text()
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    body: parseJson(text),
  }
}

export function create(service: DocsService, prompt: string, project = PROJECT): Promise<Answer> {
  const body = JSON.stringify({ prompt })
  return call(service, "POST", `/v2/agent/${encodeURIComponent(project)}/job`, { body })
}

export function read(service: DocsService, jobId: string): Promise<Answer> {
  return call(service, "GET", `/v2/agent/${PROJECT}/job/${encodeURIComponent(jobId)}`)
}

export function follow(service: DocsService, jobId: string, prompt: string): Promise<Answer> {
  const path = `/v2/agent/${PROJECT}/job/${encodeURIComponent(jobId)}/message`
  return call(service, "POST", path, { body: JSON.stringify({ prompt }) })
}

/** Creates a job. @returns the id by which the service stores it */
export async function createdId(service: DocsService, prompt = "Fix the typo"): Promise<string> {
  await create(service, prompt)
  const id = service.creations.at(-1)?.jobId
  if (id === undefined) throw new Error("The creation did not take effect")
  return id
}
