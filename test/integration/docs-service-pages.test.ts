import { expect, test } from "vitest"
import {
  call,
  createdId,
  docsServiceForTest,
  follow,
  KEY,
  PROJECT,
  read,
} from "../helpers/docs-http.ts"

async function setUp(options: Parameters<typeof docsServiceForTest>[0] = {}) {
  const started = await docsServiceForTest(options)
  started.service.planAll({ ending: "pull_request", afterMs: 1_000 })
  return started
}

test("the link of a job opens a page with its title, prompt and change, without a key", async () => {
  const { service, clock } = await setUp()
  const id = await createdId(service, "Add a section about rotating API keys.\nKeep it short.")
  clock.now += 1_000
  const { prLink } = (await read(service, id)).body as { prLink: string }
  const page = await call(service, "GET", new URL(prLink).pathname, { headers: {} })
  expect(page.status).toBe(200)
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8")
  expect(page.text).toContain("<h1>Add a section about rotating API keys <span>#214</span></h1>")
  expect(page.text).toContain("Keep it short.")
  expect(page.text).toContain("api-reference/authentication.mdx")
  expect(page.text).toContain("docs-agent/change-214")
})

test("a change that the service cannot write is not pretended: the page says so and marks the place", async () => {
  const { service } = await setUp()
  service.finish(await createdId(service, "Explain webhook retries"), "pull_request")
  const { text } = await call(service, "GET", "/acme/docs/pull/214")
  expect(text).toContain("This local service writes no documentation.")
  expect(text).toContain("+{/* The docs agent would write here: Webhook retries */}")
})

test("fixing the quickstart is shown as done, and says nothing of marks", async () => {
  const { service } = await setUp()
  service.finish(await createdId(service, "fix the quickstart"), "pull_request")
  const { text } = await call(service, "GET", "/acme/docs/pull/214")
  expect(text).toContain("-You need Node.js 18 or newer")
  expect(text).toContain("+You need Node.js 20.19 or newer")
  expect(text).not.toContain("writes no documentation")
})

test("a prompt cannot bring markup into the page, and the page may run nothing", async () => {
  const { service } = await setUp()
  const prompt = `<script>alert(1)</script> "><img src=x onerror='alert(2)'> & more`
  service.finish(await createdId(service, prompt), "pull_request")
  for (const path of ["/acme/docs/pull/214", "/acme/docs"]) {
    const { text, headers } = await call(service, "GET", path)
    expect(text).not.toContain("<script")
    expect(text).not.toContain("<img")
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
    expect(headers["content-security-policy"]).toBe("default-src 'none'; style-src 'unsafe-inline'")
  }
})

test("there is no page before the agent opened the pull request, nor for other endings", async () => {
  const { service, clock } = await setUp()
  service.plan({ ending: "pull_request", afterMs: 9_000, prAfterMs: 4_000 })
  service.plan({ ending: "no_pull_request", afterMs: 0 })
  await createdId(service)
  await createdId(service)
  expect((await call(service, "GET", "/acme/docs/pull/214")).status).toBe(404)
  clock.now += 4_000
  expect((await call(service, "GET", "/acme/docs/pull/214")).status).toBe(200)
  expect((await call(service, "GET", "/acme/docs/pull/215")).status).toBe(404)
  expect((await call(service, "GET", "/acme/docs/pull/1e2")).status).toBe(404)
  expect((await call(service, "GET", "/other/docs/pull/214")).status).toBe(404)
})

test("the repository of a job opens as the list of its pull requests, newest first", async () => {
  const { service, clock } = await setUp()
  const id = await createdId(service, "Older change")
  expect((await call(service, "GET", "/acme/docs")).text).toContain("No pull requests yet")
  await createdId(service, "Newer change")
  clock.now += 1_000
  const { source } = (await read(service, id)).body as { source: { repository: string } }
  const { text } = await call(service, "GET", new URL(source.repository).pathname)
  expect(text.indexOf("Newer change")).toBeLessThan(text.indexOf("Older change"))
  expect(text).toContain('href="/acme/docs/pull/215"')
})

test("a follow-up shows in the conversation of the same pull request", async () => {
  const { service, clock } = await setUp()
  const id = await createdId(service, "Explain webhooks")
  clock.now += 1_000
  await follow(service, id, "Shorter <please>")
  const open = await call(service, "GET", "/acme/docs/pull/214")
  expect(open.text).toContain("Shorter &lt;please&gt;")
  expect(open.text).toContain("is working on it")
  clock.now += 1_000
  const { text } = await call(service, "GET", "/acme/docs/pull/214")
  expect(text).toContain("pushed another commit")
  expect(text).toContain("2 commits")
})

test("each repository counts its own pull requests", async () => {
  const projects = [
    { id: PROJECT, key: KEY, repository: "acme/docs" },
    { id: "prj_team", key: KEY, repository: "group/team/handbook" },
  ]
  const { service } = await setUp({ projects })
  const body = JSON.stringify({ prompt: "Update the handbook" })
  await call(service, "POST", "/v2/agent/prj_team/job", { body })
  service.finish(service.creations.at(-1)?.jobId ?? "", "pull_request")
  expect((await call(service, "GET", "/group/team/handbook/pull/214")).status).toBe(200)
  expect((await call(service, "GET", "/acme/docs/pull/214")).status).toBe(404)
})

test("a page answers HEAD without a body", async () => {
  const { service } = await setUp()
  expect(await call(service, "HEAD", "/acme/docs")).toMatchObject({ status: 200, text: "" })
})

test("behind a base path only the pages are at the top", async () => {
  const { service } = await setUp({ basePath: "/docs-api" })
  expect(service.url).toMatch(/:\d+\/docs-api$/)
  const id = await createdId(service)
  service.finish(id, "pull_request")
  const { body } = await read(service, id)
  const origin = new URL(service.url).origin
  expect(body).toMatchObject({ prLink: `${origin}/acme/docs/pull/214` })
  const top = { ...service, url: origin }
  expect((await call(top, "GET", "/acme/docs/pull/214")).status).toBe(200)
  expect((await call(top, "GET", `/v2/agent/${PROJECT}/job/${id}`)).status).toBe(404)
})
