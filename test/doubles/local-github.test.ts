import { expect, test } from "vitest"
import { z } from "zod"
import { api, gitHubForTest, push, TOKEN } from "../helpers/github.ts"

const PULL = "/repos/acme/docs/pulls/7"
const REVIEWS = `${PULL}/reviews`

test("a pull request has the fields of its document, as one reads them", async () => {
  const { github } = await gitHubForTest()
  push(github)
  expect((await api(github, PULL)).body).toMatchObject({
    number: 7,
    state: "open",
    draft: false,
    merged: false,
    merged_by: null,
    merged_at: null,
    closed_at: null,
    title: "Fix the quickstart",
    user: { login: "docs-agent[bot]", type: "Bot" },
    head: { ref: "docs-agent/change-7" },
    base: { ref: "main" },
    created_at: "2026-11-20T12:00:00Z",
    updated_at: "2026-11-20T12:00:00Z",
  })
})

test("a merged one is closed, says by whom, and by nobody where the account is gone", async () => {
  const { github, clock } = await gitHubForTest()
  push(github)
  push(github, { number: 8 })
  clock.now += 60_000
  github.act("acme/docs", 7, { do: "merge", by: "ada" })
  github.act("acme/docs", 8, { do: "merge", by: null })
  expect((await api(github, PULL)).body).toMatchObject({
    state: "closed",
    merged: true,
    merged_at: "2026-11-20T12:01:00Z",
    merged_by: { login: "ada" },
  })
  expect((await api(github, "/repos/acme/docs/pulls/8")).body).toMatchObject({
    merged: true,
    merged_by: null,
  })
})

test("the list of reviews returns in chronological order", async () => {
  const { github, clock } = await gitHubForTest()
  push(github)
  github.act("acme/docs", 7, { do: "review", by: "ben", state: "CHANGES_REQUESTED" })
  clock.now += 1_000
  github.act("acme/docs", 7, { do: "review", by: null, state: "APPROVED" })
  expect((await api(github, REVIEWS)).body).toMatchObject([
    { user: { login: "ben" }, state: "CHANGES_REQUESTED", submitted_at: "2026-11-20T12:00:00Z" },
    { user: null, state: "APPROVED", submitted_at: "2026-11-20T12:00:01Z" },
  ])
})

test("a review is in the list of reviews alone: that the pull request changes with it is not said", async () => {
  const { github, clock } = await gitHubForTest()
  push(github)
  const before = await api(github, PULL)
  clock.now += 1_000
  github.act("acme/docs", 7, { do: "review", state: "APPROVED" })
  expect((await api(github, PULL)).text).toBe(before.text)
})

test("a pull request says how much it changes, and its files one by one, as of its head commit", async () => {
  const { github } = await gitHubForTest()
  push(github, {
    files: [
      { path: "quickstart.mdx", before: "a\nb\n", after: "a\nc\nd\n" },
      { path: "new.mdx", before: "", after: "x\n" },
    ],
  })
  const before = (await api(github, PULL)).body
  expect(before).toMatchObject({ additions: 3, deletions: 1, changed_files: 2 })
  expect((await api(github, `${PULL}/files`)).body).toMatchObject([
    { filename: "quickstart.mdx", additions: 2, deletions: 1, changes: 3 },
    { filename: "new.mdx", additions: 1, deletions: 0 },
  ])
  expect((await api(github, `${PULL}/files?per_page=1`)).body).toHaveLength(1)
  const asked = ["one", "two"].map((prompt, n) => ({ at: n, prompt }))
  push(github, { asked })
  const head = z.object({ head: z.object({ sha: z.string() }) })
  expect(head.parse((await api(github, PULL)).body)).not.toEqual(head.parse(before))
})

test("a review has its words, and its comments on lines are in a list of their own", async () => {
  const { github } = await gitHubForTest()
  push(github)
  const comments = [
    { path: "quickstart.mdx", line: 1, body: "Say which version." },
    { path: "quickstart.mdx", line: null, body: "Outdated." },
  ]
  const said = { do: "review", by: "ben", state: "CHANGES_REQUESTED" } as const
  github.act("acme/docs", 7, { ...said, body: "Nearly.", comments })
  github.act("acme/docs", 7, { ...said, by: "eve", association: "NONE", comments: [] })
  const reviews = (await api(github, REVIEWS)).body
  expect(reviews).toMatchObject([
    { user: { login: "ben" }, body: "Nearly.", author_association: "MEMBER" },
    { user: { login: "eve" }, body: "", author_association: "NONE" },
  ])
  const [first] = z.array(z.object({ id: z.number() })).parse(reviews)
  const own = { pull_request_review_id: first?.id, author_association: "MEMBER" }
  expect((await api(github, `${PULL}/comments`)).body).toMatchObject([
    { ...own, path: "quickstart.mdx", line: 1, body: "Say which version." },
    { ...own, line: null, original_line: 1, body: "Outdated." },
  ])
  expect((await api(github, PULL)).body).toMatchObject({ review_comments: 2 })
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

test("over the primary limit: 403 with x-ratelimit-remaining 0, until x-ratelimit-reset", async () => {
  const { github, clock } = await gitHubForTest({ requestsPerHour: 1 })
  push(github)
  expect((await api(github, PULL)).status).toBe(200)
  const refused = await api(github, PULL)
  expect(refused).toMatchObject({ status: 403, headers: { "x-ratelimit-remaining": "0" } })
  clock.now = Number(refused.headers["x-ratelimit-reset"]) * 1000
  expect((await api(github, PULL)).status).toBe(200)
})

test("an unchanged answer is a 304 that costs nothing of the hour; a changed one is counted", async () => {
  const { github } = await gitHubForTest()
  push(github)
  const used = () => github.rate(TOKEN)?.used
  const first = await api(github, PULL)
  const known = { "if-none-match": String(first.headers.etag) }
  expect(await api(github, PULL, known)).toMatchObject({ status: 304, text: "" })
  expect(used()).toBe(1)
  expect((await api(github, PULL, { ...known, authorization: "" })).status).toBe(404)
  github.act("acme/docs", 7, { do: "merge" })
  expect((await api(github, PULL, known)).status).toBe(200)
  expect(used()).toBe(2)
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

test("an expired or unknown token is refused with 401", async () => {
  const { github } = await gitHubForTest()
  push(github)
  const unknown = await api(github, PULL, { authorization: "Bearer nobody" })
  expect(unknown).toMatchObject({ status: 401, body: { message: "Bad credentials" } })
  github.expireTokens()
  expect((await api(github, PULL)).status).toBe(401)
})

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
