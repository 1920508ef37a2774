import { expect, onTestFinished, test, vi } from "vitest"
import {
  call,
  create,
  createdId,
  docsServiceForTest,
  follow,
  KEY,
  PROJECT,
  read,
} from "../helpers/docs-http.ts"

const HOUR = 3_600_000
const JOBS = `/v2/agent/${PROJECT}/job`

test.each([
  ["no JSON", "{", "not valid JSON"],
  ["an array", "[]", "Invalid request body"],
  ["no prompt", "{}", "Invalid request body"],
  ["an empty prompt", '{"prompt":""}', "Invalid request body"],
  ["a number", '{"prompt":1}', "Invalid request body"],
])("a body with %s is refused with 400 and spends nothing", async (_, body, error) => {
  const { service } = await docsServiceForTest({ creationsPerWindow: 1 })
  const answer = await call(service, "POST", JOBS, { body })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ error: expect.stringContaining(error) })
  expect((await create(service, "a")).status).toBe(201)
})

test("the shortest prompt has one character; the body must be declared as JSON", async () => {
  const { service } = await docsServiceForTest()
  expect((await create(service, " ")).status).toBe(201)
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "text/plain" }
  expect((await call(service, "POST", JOBS, { body: '{"prompt":"a"}', headers })).status).toBe(400)
})

test("many jobs at once are no leak for Node to warn of", async () => {
  const warned = vi.fn()
  process.on("warning", warned)
  onTestFinished(() => void process.off("warning", warned))
  const { service } = await docsServiceForTest()
  for (let n = 0; n < 15; n += 1) expect((await create(service, `page ${n}`)).status).toBe(201)
  const leak = expect.objectContaining({ name: "MaxListenersExceededWarning" })
  expect(warned).not.toHaveBeenCalledWith(leak)
})

test("a key opens its own project alone, and a job is known in its own project alone", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
    { id: "prj_other", key: "svc_other" },
  ]
  const { service } = await docsServiceForTest({ projects })
  expect((await create(service, "a", "prj_other")).status).toBe(403)
  const visitors = "/v1/analytics/prj_other/visitors"
  expect((await call(service, "GET", visitors)).status).toBe(403)
  const id = await createdId(service)
  const body = '{"prompt":"more"}'
  for (const job of [`/v2/agent/prj_twin/job/${id}`, `${JOBS}/nope`]) {
    expect((await call(service, "GET", job)).status).toBe(404)
    expect((await call(service, "POST", `${job}/message`, { body })).status).toBe(404)
  }
  expect(service.job(id)?.messages).toEqual([])
})

test("a message answers 200; the job is active again and the same pull request gets the change", async () => {
  const { service, clock } = await docsServiceForTest()
  const followUp = { ending: "pull_request", afterMs: 2_000 } as const
  service.plan({ ending: "pull_request", afterMs: 1_000, followUp })
  const id = await createdId(service)
  clock.now += 1_000
  const { prLink } = (await read(service, id)).body as { prLink: string }
  const answer = await follow(service, id, "Shorter, please")
  expect(answer).toMatchObject({ status: 200, body: { id, status: "active", prLink: null } })
  clock.now += 2_000
  expect((await read(service, id)).body).toMatchObject({ status: "completed", prLink })
  expect(service.job(id)?.messages.map((message) => message.prompt)).toEqual(["Shorter, please"])
  expect(service.creations).toHaveLength(1)
})

test("an archived job takes no message: 400, the only documented status that fits", async () => {
  const { service } = await docsServiceForTest()
  const id = await createdId(service)
  service.finish(id, "archived")
  expect((await follow(service, id, "more")).status).toBe(400)
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

test("100 messages per project and hour, in an hour that creations do not share", async () => {
  const { service, clock } = await docsServiceForTest()
  const id = await createdId(service)
  for (let n = 0; n < 100; n++) expect((await follow(service, id, "more")).status).toBe(200)
  const refused = await follow(service, id, "too much")
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "3600" } })
  expect((await create(service, "another job")).status).toBe(201)
  clock.now += HOUR
  expect((await follow(service, id, "again")).status).toBe(200)
})
