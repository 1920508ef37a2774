import { request } from "undici"
import { expect, test } from "vitest"
import { call, createdId, follow, PROJECT, read } from "../helpers/docs-http.ts"
import { gitHubForTest, gitHubWithAgent, push } from "../helpers/github.ts"
import type { DocsServiceOptions } from "../sandbox/docs-service/service.ts"

async function setUp(options: Partial<DocsServiceOptions> = {}) {
  const started = await gitHubWithAgent(options)
  const { service, github } = started
  service.planAll({ ending: "pull_request", afterMs: 1_000 })
  /** Requests a page, after the agent has caught up with its due work. */
  const page = (path: string, method: "GET" | "HEAD" = "GET") => {
    service.jobs(PROJECT)
    return call({ ...service, url: github.url }, method, path, { headers: {} })
  }
  return { ...started, page }
}

test("the link of a job opens a page with its title, prompt and change, without a key", async () => {
  const { service, clock, page } = await setUp()
  const id = await createdId(
    service,
    "Add a section about rotating API keys.\nIn api/keys.mdx, keep it short.",
  )
  clock.now += 1_000
  const { prLink } = (await read(service, id)).body as { prLink: string }
  const found = await page(new URL(prLink).pathname)
  expect(found.status).toBe(200)
  expect(found.headers["content-type"]).toBe("text/html; charset=utf-8")
  expect(found.text).toContain("<h1>Add a section about rotating API keys <span>#214</span></h1>")
  expect(found.text).toContain("keep it short.")
  expect(found.text).toContain("Changes to api/keys.mdx")
  expect(found.text).toContain("docs-agent/change-214")
  expect(found.text).toContain("This local service doesn't write documentation.")
})

test("a prompt cannot bring markup into the page, and the page may run nothing", async () => {
  const { service, page } = await setUp()
  const prompt = `<script>alert(1)</script> "><img src=x onerror='alert(2)'> & more`
  service.finish(await createdId(service, prompt), "pull_request")
  const { text, headers } = await page("/acme/docs/pull/214")
  expect(text).not.toContain("<script")
  expect(text).not.toContain("<img")
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  )
})

test("there is no page before the agent opened the pull request, nor for other endings", async () => {
  const { service, clock, page } = await setUp()
  service.plan({ ending: "pull_request", afterMs: 9_000, prAfterMs: 4_000 })
  service.plan({ ending: "no_pull_request", afterMs: 0 })
  await createdId(service)
  await createdId(service)
  expect((await page("/acme/docs/pull/214")).status).toBe(404)
  clock.now += 4_000
  expect((await page("/acme/docs/pull/214")).status).toBe(200)
  expect((await page("/acme/docs/pull/215")).status).toBe(404)
  expect((await page("/acme/docs/pull/1e2")).status).toBe(404)
  expect((await page("/other/docs/pull/214")).status).toBe(404)
})

test("a follow-up shows in the conversation of the same pull request", async () => {
  const { service, clock, page } = await setUp()
  const id = await createdId(service, "Explain webhooks")
  clock.now += 1_000
  await follow(service, id, "Shorter <please>")
  const open = await page("/acme/docs/pull/214")
  expect(open.text).toContain("Shorter &lt;please&gt;")
  expect(open.text).toContain("is working on it")
  clock.now += 1_000
  const { text } = await page("/acme/docs/pull/214")
  expect(text).toContain("pushed another commit")
  expect(text).toContain("2 commits")
})

test.each([
  ["merge", { do: "merge" }, "Merged"],
  ["close", { do: "close" }, "Closed"],
  ["make it a draft", { do: "draft" }, "Draft"],
  ["approve", { do: "review", state: "APPROVED" }, "approved this"],
  [
    "request changes",
    { do: "review", state: "CHANGES_REQUESTED", body: "Say which version." },
    "Say which version.",
  ],
] as const)("a person can %s with a button of the page", async (_, fields, shown) => {
  const { github } = await gitHubForTest()
  push(github)
  const form = async (origin: string) => {
    const body = new URLSearchParams(fields).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded", origin }
    return request(`${github.url}/acme/docs/pull/7`, { method: "POST", body, headers })
  }
  expect((await form("https://elsewhere.example")).statusCode).toBe(403)
  const answer = await form(github.url)
  expect(answer.statusCode).toBe(303)
  const page = await request(`${github.url}${String(answer.headers.location)}`)
  const text = await page.body.text()
  expect(text).toContain(shown)
  for (const [name, value] of Object.entries(fields)) {
    if (fields.do !== "review") expect(text).not.toContain(`name="${name}" value="${value}"`)
  }
})
