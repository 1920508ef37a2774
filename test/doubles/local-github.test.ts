import { expect, test } from "vitest"
import { z } from "zod"
import { api, gitHubForTest, push } from "../helpers/github.ts"

const PULL = "/repos/acme/docs/pulls/7"
const REVIEWS = `${PULL}/reviews`

test("the list of reviews returns in chronological order, and says nothing elsewhere", async () => {
  const { github, clock } = await gitHubForTest()
  push(github)
  const before = await api(github, PULL)
  github.act("acme/docs", 7, { do: "review", by: "ben", state: "CHANGES_REQUESTED" })
  clock.now += 1_000
  github.act("acme/docs", 7, { do: "review", by: null, state: "APPROVED" })
  expect((await api(github, REVIEWS)).body).toMatchObject([
    { user: { login: "ben" }, state: "CHANGES_REQUESTED", submitted_at: "2026-11-20T12:00:00Z" },
    { user: null, state: "APPROVED", submitted_at: "2026-11-20T12:00:01Z" },
  ])
  // GitHub's documents say nowhere that a review changes the pull request.
  expect((await api(github, PULL)).text).toBe(before.text)
})

test("a list has 30 rows a page, at most 100, and a link to the next page", async () => {
  const { github } = await gitHubForTest()
  push(github)
  for (let n = 0; n < 101; n++) {
    github.act("acme/docs", 7, { do: "review", by: `person-${n}`, state: "COMMENTED" })
  }
  const rows = async (query: string) => {
    const { body, headers } = await api(github, `${REVIEWS}${query}`)
    return [z.array(z.unknown()).parse(body).length, headers.link]
  }
  const url = `${github.apiUrl}${REVIEWS}`
  expect(await rows("")).toEqual([
    30,
    `<${url}?per_page=30&page=2>; rel="next", <${url}?per_page=30&page=4>; rel="last"`,
  ])
  expect((await rows("?per_page=500"))[0]).toBe(100)
  expect(await rows("?per_page=100&page=2")).toEqual([1, undefined])
})

test.each([
  [{ retryAfter: 30 }, "30"],
  [{ status: 429 }, undefined],
] as const)(
  "a secondary limit %j says so in its message, and perhaps when to come back",
  async (more, retryAfter) => {
    const { github } = await gitHubForTest()
    push(github)
    github.fail({ type: "secondary_limit", times: 1, ...more })
    const { status, headers, body } = await api(github, PULL)
    expect([403, 429]).toContain(status)
    expect(body).toMatchObject({ message: expect.stringContaining("secondary rate limit") })
    expect(headers["retry-after"]).toBe(retryAfter)
    expect(headers["x-ratelimit-remaining"]).not.toBe("0")
  },
)

test("what a token may not read is a 404, to avoid confirming that it exists", async () => {
  const { github } = await gitHubForTest()
  push(github)
  github.setReadable("acme/docs", false)
  const hidden = await api(github, PULL)
  const absent = await api(github, "/repos/acme/nothing/pulls/7")
  expect(hidden).toMatchObject({ status: 404, body: { message: "Not Found" } })
  expect(hidden.body).toEqual(absent.body)
  expect((await api(github, PULL, { authorization: "" })).status).toBe(404)
})

test("requests without a User-Agent are rejected, and so is a version that does not exist", async () => {
  const { github } = await gitHubForTest()
  push(github)
  expect((await api(github, PULL, { "user-agent": "" })).status).toBe(403)
  expect((await api(github, PULL, { "x-github-api-version": "2022-11-28" })).status).toBe(200)
  expect((await api(github, PULL, { "x-github-api-version": "1999-01-01" })).status).toBe(400)
})
