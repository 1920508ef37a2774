import { expect, test } from "vitest"
import { call, create, createdId, docsServiceForTest, KEY, PROJECT } from "../helpers/docs-http.ts"

const HOUR = 3_600_000

test.each([
  ["no JSON", "{", "not valid JSON"],
  ["an array", "[]", "Invalid request body"],
  ["no prompt", "{}", "Invalid request body"],
  ["an empty prompt", '{"prompt":""}', "Invalid request body"],
  ["a number", '{"prompt":1}', "Invalid request body"],
])("a body with %s is refused with 400 and spends nothing", async (_, body, error) => {
  const { service } = await docsServiceForTest()
  const answer = await call(service, "POST", `/v2/agent/${PROJECT}/job`, { body })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: expect.stringContaining(error) })
  expect(service.hour(PROJECT).used).toBe(0)
})

test("the shortest prompt has one character; the body must be declared as JSON", async () => {
  const { service } = await docsServiceForTest()
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
  const { service } = await docsServiceForTest({ projects })
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
  const { service } = await docsServiceForTest({ projects })
  const id = await createdId(service)
  expect((await call(service, "GET", `/v2/agent/prj_twin/job/${id}`)).status).toBe(404)
})

test("at most 100 creations in any rolling hour; a refusal costs nothing", async () => {
  const { service, clock } = await docsServiceForTest()
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
