import { expect, test } from "vitest"
import { call, createdId, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"
import type { DocsService, DocsServiceOptions } from "../sandbox/docs-service/service.ts"

const PLAN = { ending: "success", queuedMs: 1_000, afterMs: 8_000 } as const

async function setUp(options: Partial<DocsServiceOptions> = {}) {
  const started = await docsServiceForTest({ previewPlan: PLAN, ...options })
  const id = await createdId(started.service, "Add a section about API keys")
  const branch = started.service.job(id)?.source.ref ?? ""
  return { ...started, branch }
}

function preview(service: DocsService, body: object, project = PROJECT) {
  return call(service, "POST", `/v1/project/preview/${project}`, { body: JSON.stringify(body) })
}

function status(service: DocsService, statusId: string, headers?: Record<string, string>) {
  const path = `/v1/project/update-status/${statusId}`
  return call(service, "GET", path, headers ? { headers } : {})
}

async function started(service: DocsService, branch: string) {
  const answer = await preview(service, { branch })
  expect(answer.status).toBe(202)
  return answer.body as { statusId: string; previewUrl: string }
}

test("a preview is queued with 202, built, and then told with all its fields", async () => {
  const { service, clock, branch } = await setUp()
  const { statusId, previewUrl } = await started(service, branch)
  expect((await status(service, statusId)).body).toMatchObject({ status: "queued" })
  clock.now += 1_000
  const building = (await status(service, statusId)).body
  expect(building).toMatchObject({ status: "in_progress" })
  expect(building).not.toHaveProperty("endedAt")
  clock.now += 7_000
  expect((await status(service, statusId)).body).toEqual({
    _id: statusId,
    projectId: PROJECT,
    createdAt: "2026-11-20T12:00:00.000Z",
    endedAt: "2026-11-20T12:00:08.000Z",
    status: "success",
    summary: "Preview deployed",
    commit: {
      ref: branch,
      filesChanged: {
        added: [],
        modified: ["api-reference/authentication.mdx"],
        removed: [],
      },
    },
  })
  const page = await call({ ...service, url: "" }, "GET", previewUrl, { headers: {} })
  expect(page).toMatchObject({
    status: 200,
    text: expect.stringContaining("would write here: Add a section about API keys"),
  })
})

test("there is nothing to see before the build succeeded", async () => {
  const { service, branch } = await setUp()
  const { previewUrl } = await started(service, branch)
  const page = await call({ ...service, url: "" }, "GET", previewUrl, { headers: {} })
  expect(page.status).toBe(404)
})

test("a branch asked for again is deployed again under the same address", async () => {
  const { service, branch } = await setUp()
  const first = await started(service, branch)
  const second = await started(service, branch)
  expect(second.previewUrl).toBe(first.previewUrl)
  expect(second.statusId).not.toBe(first.statusId)
  expect(service.previews.map((one) => one.branch)).toEqual([branch, branch])
})

test("a failed build says why; a branch that nobody pushed fails", async () => {
  const { service, clock, branch } = await setUp()
  service.configure({ previewPlan: { ...PLAN, ending: "failure", summary: "Bad front matter" } })
  const failing = await started(service, branch)
  const lost = await started(service, "no/such-branch")
  clock.now += 8_000
  expect((await status(service, failing.statusId)).body).toMatchObject({
    status: "failure",
    summary: "Bad front matter",
  })
  expect((await status(service, lost.statusId)).body).toMatchObject({
    status: "failure",
    summary: "Branch no/such-branch not found",
  })
})

test.each([{}, { branch: "" }, { branch: 1 }])("%j is refused with 400", async (body) => {
  const { service } = await setUp()
  const answer = await preview(service, body)
  expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  expect(service.hour(PROJECT, "preview").used).toBe(0)
})

test("up to 5 requests per minute per organization, over all its projects", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
  ]
  const { service, clock, branch } = await setUp({ projects })
  for (let n = 0; n < 3; n++) await started(service, branch)
  for (let n = 0; n < 2; n++) await preview(service, { branch: "main" }, "prj_twin")
  const refused = await preview(service, { branch })
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "60" } })
  expect(service.previews).toHaveLength(5)
  clock.now += 60_000
  await started(service, branch)
})

test.each([
  [403, "plan"],
  [404, "Not found"],
] as const)("a deployment without previews answers %i", async (absent, words) => {
  const { service, branch } = await setUp({ absent: { preview: absent } })
  const answer = await preview(service, { branch })
  expect(answer.status).toBe(absent)
  expect(answer.body).toEqual({ error: expect.stringContaining(words) })
  expect(service.previews).toEqual([])
})

test("a status is told to its organization only, an unknown one to nobody", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service, branch } = await setUp({ projects })
  const { statusId } = await started(service, branch)
  const other = { authorization: "Bearer svc_other" }
  expect((await status(service, statusId, other)).status).toBe(404)
  expect((await status(service, statusId, {})).status).toBe(401)
  expect((await status(service, "0".repeat(24))).status).toBe(404)
})
