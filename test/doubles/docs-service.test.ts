import { expect, test } from "vitest"
import { create, createdId, docsServiceForTest, PROJECT, read } from "../helpers/docs-http.ts"

test("a created job is active, has every documented field and no pull request yet", async () => {
  const { service } = await docsServiceForTest()
  const answer = await create(service, "Explain webhooks")
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: expect.any(String),
    status: "active",
    source: { repository: `${service.url}/acme/docs`, ref: "docs-agent/change-214" },
    model: "docs-agent-1",
    prLink: null,
    createdAt: "2026-11-20T12:00:00.000Z",
    archivedAt: null,
  })
  expect(service.creations).toEqual([
    {
      at: service.jobs(PROJECT)[0]?.createdAt,
      projectId: PROJECT,
      prompt: "Explain webhooks",
      jobId: service.creations[0]?.jobId,
    },
  ])
})

test.each([
  ["pull_request", { status: "completed", archivedAt: null }, true],
  ["no_pull_request", { status: "completed", prLink: null }, false],
  ["failed", { status: "failed", prLink: null }, false],
  ["archived", { status: "archived", prLink: null, archivedAt: "2026-11-20T12:00:10.000Z" }, false],
] as const)("a job planned to end as %s does so on the clock", async (ending, expected, linked) => {
  const { service, clock } = await docsServiceForTest()
  service.plan({ ending, afterMs: 10_000 })
  const id = await createdId(service)
  clock.now += 9_999
  expect((await read(service, id)).body).toMatchObject({ status: "active", prLink: null })
  clock.now += 50_000
  const { body } = await read(service, id)
  expect(body).toMatchObject(expected)
  if (linked) expect(body).toMatchObject({ prLink: `${service.url}/acme/docs/pull/214` })
})

test("a pull request link can show up while the job is still active", async () => {
  const { service, clock } = await docsServiceForTest()
  service.plan({ ending: "pull_request", afterMs: 10_000, prAfterMs: 4_000 })
  const id = await createdId(service)
  clock.now += 4_000
  const link = `${service.url}/acme/docs/pull/214`
  expect((await read(service, id)).body).toMatchObject({ status: "active", prLink: link })
})

test("an unknown job is unknown", async () => {
  const { service } = await docsServiceForTest()
  expect((await read(service, "nope")).status).toBe(404)
})
