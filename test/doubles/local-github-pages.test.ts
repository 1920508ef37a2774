import { request } from "undici"
import { expect, test } from "vitest"
import { call, createdId, follow, PROJECT, read } from "../helpers/docs-http.ts"
import { gitHubForTest, gitHubWithAgent, push } from "../helpers/github.ts"

test("the link of a job opens a page with its requests as text and its change, without a key", async () => {
  const { service, github, clock } = await gitHubWithAgent()
  service.planAll({ ending: "pull_request", afterMs: 1_000 })
  const id = await createdId(
    service,
    "Add a section on API keys.\n<script>alert(1)</script> & more",
  )
  clock.now += 1_000
  const { prLink } = (await read(service, id)).body as { prLink: string }
  await follow(service, id, `Shorter "><img src=x onerror='alert(2)'>`)
  clock.now += 1_000
  // The agent catches up with its due work.
  service.jobs(PROJECT)
  const page = { ...service, url: github.url }
  const found = await call(page, "GET", new URL(prLink).pathname, { headers: {} })
  expect(found.status).toBe(200)
  expect(found.headers["content-security-policy"]).toBe(
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
  )
  expect(found.text).toContain("<h1>Add a section on API keys <span>#214</span></h1>")
  expect(found.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(found.text).toContain("Shorter &quot;&gt;&lt;img src=x")
  expect(found.text).not.toMatch(/<script|<img/)
  expect(found.text).toContain("This local service doesn't write documentation.")
  expect(found.text).toContain("2 commits")
  const other = await call(page, "GET", "/other/docs/pull/214", { headers: {} })
  expect(other.status).toBe(404)
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
