import { connect } from "node:net"
import { expect, test } from "vitest"
import { create, createdId, docsServiceForTest, KEY, PROJECT, read } from "../helpers/docs-http.ts"

test("a created job is active, has every documented field and no pull request yet", async () => {
  const { service } = await docsServiceForTest({ idFor: (n) => `job-${n}` })
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

test("a test can end a job at once and report any link", async () => {
  const { service } = await docsServiceForTest()
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
    const { service } = await docsServiceForTest({ idFor: () => id })
    await createdId(service)
    const path = `/v2/agent/${PROJECT}/job/${encodeURIComponent(id).replaceAll(".", "%2E")}`
    const answer = await raw(service.url, path)
    expect(answer).toContain("200 OK")
    expect(answer).toContain(JSON.stringify(id))
  },
)

test("an unknown job is unknown", async () => {
  const { service } = await docsServiceForTest()
  expect((await read(service, "nope")).status).toBe(404)
})

async function raw(base: string, path: string): Promise<string> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1")
  socket.end(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
  )
  let text = ""
  for await (const chunk of socket) text += String(chunk)
  return text
}
