import { expect, test } from "vitest"
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

test("a message to an unknown job, or to another project's, is answered 404", async () => {
  const projects = [
    { id: PROJECT, key: KEY },
    { id: "prj_twin", key: KEY },
  ]
  const { service } = await docsServiceForTest({ projects })
  const id = await createdId(service)
  const body = '{"prompt":"more"}'
  const twin = await call(service, "POST", `/v2/agent/prj_twin/job/${id}/message`, { body })
  const nowhere = await follow(service, "nope", "more")
  expect([twin.status, nowhere.status]).toEqual([404, 404])
  expect(service.hour(PROJECT, "message").used).toBe(0)
})

test("an archived job takes no message: 400, the only documented status that fits", async () => {
  const { service } = await docsServiceForTest()
  const id = await createdId(service)
  service.finish(id, "archived")
  expect((await follow(service, id, "more")).status).toBe(400)
})

test("100 messages per project and hour, in an hour that creations do not share", async () => {
  const { service, clock } = await docsServiceForTest()
  const id = await createdId(service)
  service.spendElsewhere(PROJECT, 99, "message")
  expect((await follow(service, id, "last")).status).toBe(200)
  const refused = await follow(service, id, "too much")
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "3600" } })
  expect(service.hour(PROJECT).used).toBe(1)
  expect((await create(service, "another job")).status).toBe(201)
  clock.now += HOUR
  expect((await follow(service, id, "again")).status).toBe(200)
})

test.each([404, 405, 403, 501] as const)(
  "a deployment without messages answers %i and still knows its jobs",
  async (status) => {
    const { service } = await docsServiceForTest({ absent: { message: status } })
    const id = await createdId(service)
    expect(await follow(service, id, "more")).toMatchObject({
      status,
      body: { error: expect.any(String) },
    })
    expect((await read(service, id)).status).toBe(200)
  },
)
