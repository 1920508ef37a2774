import { expect, onTestFinished, test } from "vitest"
import {
  call,
  create,
  createdId,
  follow,
  KEY,
  PROJECT,
  read,
  startOnManualClock,
} from "../helpers/docs-http.ts"

const HOUR = 3_600_000

async function setUp(options: Parameters<typeof startOnManualClock>[0] = {}) {
  const started = await startOnManualClock(options)
  onTestFinished(() => started.service.close())
  return started
}

test("a created job is active, has every documented field and no pull request yet", async () => {
  const { service } = await setUp({ idFor: (n) => `job-${n}` })
  const answer = await create(service, "Explain webhooks")
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: "job-1",
    status: "active",
    source: { repository: `${service.url}/acme/docs`, ref: "docs-agent/change-214" },
    model: "docs-agent-1",
    prLink: null,
    createdAt: "2026-11-20T12:00:00.000Z",
    archivedAt: null,
  })
  expect(service.creations).toEqual([
    {
      at: service.job("job-1")?.createdAt,
      projectId: PROJECT,
      prompt: "Explain webhooks",
      jobId: "job-1",
    },
  ])
})

test("creation answers 200 where the deployment does", async () => {
  const { service } = await setUp({ settings: { successStatus: 200 } })
  expect((await create(service, "a")).status).toBe(200)
})

test.each([
  ["pull_request", { status: "completed", archivedAt: null }, true],
  ["no_pull_request", { status: "completed", prLink: null }, false],
  ["failed", { status: "failed", prLink: null }, false],
  ["archived", { status: "archived", prLink: null, archivedAt: "2026-11-20T12:00:10.000Z" }, false],
] as const)("a job planned to end as %s does so on the clock", async (ending, expected, linked) => {
  const { service, clock } = await setUp()
  service.plan({ ending, afterMs: 10_000 })
  const id = await createdId(service)
  clock.now += 9_999
  expect((await read(service, id)).body).toMatchObject({ status: "active", prLink: null })
  clock.now += 50_000
  const { body } = await read(service, id)
  expect(body).toMatchObject(expected)
  if (linked) expect(body).toMatchObject({ prLink: `${service.url}/acme/docs/pull/214` })
})

test("plans are used in order, then the default for all later jobs", async () => {
  const { service, clock } = await setUp()
  service.plan({ ending: "failed", afterMs: 0 }, { ending: "archived", afterMs: 0 })
  service.planAll({ ending: "never", afterMs: 0 })
  for (const prompt of ["a", "b", "c", "d"]) await create(service, prompt)
  clock.now += 100 * HOUR
  const statuses = service.jobs(PROJECT).map((job) => job.status)
  expect(statuses).toEqual(["failed", "archived", "active", "active"])
})

test("a pull request link can show up while the job is still active", async () => {
  const { service, clock } = await setUp()
  service.plan({ ending: "pull_request", afterMs: 10_000, prAfterMs: 4_000 })
  const id = await createdId(service)
  clock.now += 4_000
  const link = `${service.url}/acme/docs/pull/214`
  expect((await read(service, id)).body).toMatchObject({ status: "active", prLink: link })
})

test("a project that pushes to main completes without a pull request", async () => {
  const { service, clock } = await setUp({ projects: [{ id: PROJECT, key: KEY, push: "main" }] })
  const id = await createdId(service)
  clock.now += HOUR
  expect((await read(service, id)).body).toMatchObject({
    status: "completed",
    prLink: null,
    source: { ref: "main" },
  })
})

test("a test can end a job at once and report any link", async () => {
  const { service } = await setUp()
  const id = await createdId(service)
  service.setPrLink(id, "javascript:alert(1)")
  expect((await read(service, id)).body).toMatchObject({
    status: "active",
    prLink: "javascript:alert(1)",
  })
  service.finish(id, "pull_request")
  expect((await read(service, id)).body).toMatchObject({
    status: "completed",
    prLink: "javascript:alert(1)",
  })
})

test.each(["a/b", "ö ?#%", "文書 1", "..", "x".repeat(500)])(
  "job id %j survives the path",
  async (id) => {
    const { service } = await setUp({ idFor: () => id })
    await createdId(service)
    const path = `/v2/agent/${PROJECT}/job/${encodeURIComponent(id).replaceAll(".", "%2E")}`
    const answer = await raw(service.url, path)
    expect(answer).toContain("200 OK")
    expect(answer).toContain(JSON.stringify(id))
  },
)

test("a follow-up turns the job active again, then it gets the ending planned for it", async () => {
  const { service, clock } = await setUp()
  const followUp = { ending: "failed", afterMs: 2_000 } as const
  service.plan({ ending: "pull_request", afterMs: 1_000, followUp })
  const id = await createdId(service)
  clock.now += 1_000
  expect((await read(service, id)).body).toMatchObject({ status: "completed" })
  const answer = await follow(service, id, "Shorter, please")
  expect(answer).toMatchObject({ status: 201, body: { id, status: "active", prLink: null } })
  clock.now += 2_000
  const link = `${service.url}/acme/docs/pull/214`
  expect((await read(service, id)).body).toMatchObject({ status: "failed", prLink: link })
  expect(service.job(id)?.messages.map((message) => message.prompt)).toEqual(["Shorter, please"])
  expect(service.creations).toHaveLength(1)
})

test("a deployment without follow-ups answers 404 to them", async () => {
  const { service } = await setUp({ settings: { followUps: false } })
  const id = await createdId(service)
  expect((await follow(service, id, "more")).status).toBe(404)
})

test("an archived job takes no follow-up, an unknown one is unknown", async () => {
  const { service } = await setUp()
  const id = await createdId(service)
  service.finish(id, "archived")
  expect((await follow(service, id, "more")).status).toBe(409)
  expect((await follow(service, "nope", "more")).status).toBe(404)
  expect((await read(service, "nope")).status).toBe(404)
})

test.each([
  ["no JSON", "{", "not valid JSON"],
  ["an array", "[]", "Invalid request body"],
  ["no prompt", "{}", "Invalid request body"],
  ["an empty prompt", '{"prompt":""}', "Invalid request body"],
  ["a number", '{"prompt":1}', "Invalid request body"],
])("a body with %s is refused with 400 and spends nothing", async (_, body, error) => {
  const { service } = await setUp()
  const answer = await call(service, "POST", `/v2/agent/${PROJECT}/job`, { body })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: expect.stringContaining(error) })
  expect(service.hour(PROJECT).used).toBe(0)
})

test("the shortest prompt has one character; the body must be declared as JSON", async () => {
  const { service } = await setUp()
  expect((await create(service, " ")).status).toBe(201)
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "text/plain" }
  const path = `/v2/agent/${PROJECT}/job`
  const answer = await call(service, "POST", path, { body: '{"prompt":"a"}', headers })
  expect(answer.status).toBe(400)
})

test.each([
  ["no key", {}, PROJECT, 401],
  ["another scheme", { authorization: `Basic ${KEY}` }, PROJECT, 401],
  ["a wrong key", { authorization: "Bearer svc_wrong" }, PROJECT, 401],
  ["another project's key", { authorization: "Bearer svc_other" }, PROJECT, 403],
  ["an unknown project", { authorization: `Bearer ${KEY}` }, "prj_nowhere", 404],
])("%s is refused", async (_, headers, project, status) => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service } = await setUp({ projects })
  const path = `/v2/agent/${project}/job`
  const all = { "content-type": "application/json", ...headers }
  const answer = await call(service, "POST", path, { body: '{"prompt":"a"}', headers: all })
  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ error: expect.any(String) })
  expect(service.creations).toEqual([])
})

test("a job is invisible to another project", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
  ]
  const { service } = await setUp({ projects })
  const id = await createdId(service)
  expect((await call(service, "GET", `/v2/agent/prj_twin/job/${id}`)).status).toBe(404)
})

test("at most 100 creations in any rolling hour; a refusal costs nothing", async () => {
  const { service, clock } = await setUp()
  for (let n = 0; n < 60; n++) expect((await create(service, "early")).status).toBe(201)
  clock.now += HOUR / 2
  for (let n = 0; n < 40; n++) expect((await create(service, "late")).status).toBe(201)
  const refused = await create(service, "too much")
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1800" } })
  clock.now += HOUR / 2 - 1
  expect((await create(service, "still too much")).status).toBe(429)
  clock.now += 1
  for (let n = 0; n < 60; n++) expect((await create(service, "next")).status).toBe(201)
  expect((await create(service, "full again")).status).toBe(429)
  expect(service.creations).toHaveLength(160)
})

test("projects have hours of their own, and other clients spend the same one", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
  ]
  const { service } = await setUp({ projects })
  service.spendElsewhere(PROJECT, 99)
  expect((await create(service, "last")).status).toBe(201)
  expect((await create(service, "none left")).status).toBe(429)
  expect((await create(service, "elsewhere", "prj_twin")).status).toBe(201)
  expect(service.creations).toHaveLength(2)
})

test.each([
  ["none", undefined],
  ["seconds", "3600"],
  ["date", "Fri, 20 Nov 2026 13:00:00 GMT"],
] as const)("a full hour can say when to retry as %s", async (retryAfter, header) => {
  const { service } = await setUp({ settings: { creationsPerWindow: 1, retryAfter } })
  await create(service, "a")
  expect((await create(service, "b")).headers["retry-after"]).toBe(header)
})

test("unknown paths and methods are refused, the health check is open", async () => {
  const { service } = await setUp()
  expect((await call(service, "DELETE", `/v2/agent/${PROJECT}/job/1`)).status).toBe(404)
  expect((await call(service, "GET", "/v3/anything")).status).toBe(404)
  expect((await call(service, "GET", "/%E0%A4%A")).status).toBe(400)
  expect((await call(service, "GET", "/healthz", { headers: {} })).status).toBe(200)
})

test("requests are reported as they were sent, newest last", async () => {
  const { service, clock } = await setUp({ idFor: () => "a/b", requestLogSize: 2 })
  const heard: unknown[] = []
  service.subscribe((event) => heard.push(event.type))
  await create(service, "first")
  await create(service, "")
  await read(service, "a/b")
  expect(service.requests).toMatchObject([
    { at: clock.now, method: "POST", kind: "create", status: 400, bodyBytes: 13 },
    { path: `/v2/agent/${PROJECT}/job/a%2Fb`, kind: "get", status: 200, jobId: "a/b" },
  ])
  expect(heard).toEqual(["job", "request", "request", "request"])
})

async function raw(base: string, path: string): Promise<string> {
  const { connect } = await import("node:net")
  const socket = connect(Number(new URL(base).port), "127.0.0.1")
  socket.end(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
  )
  let text = ""
  for await (const chunk of socket) text += String(chunk)
  return text
}
